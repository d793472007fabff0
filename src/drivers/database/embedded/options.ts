import { totalmem } from 'node:os';

export interface ServerTuning {
  sharedBuffersMb: number;
  /** False gives up what a power cut would lose, for speed: for databases that are thrown away, such as tests'. */
  durable: boolean;
}

/**
 * The server's settings, given on its command line so that an upgrade of ours changes them without editing a file in
 * the data folder. Sized for a machine that also crawls, parses and embeds.
 */
export function serverOptions(socketFolder: string, { sharedBuffersMb, durable }: ServerTuning): string[] {
  const memoryMb = Math.floor(Math.min(totalmem(), process.constrainedMemory() || Infinity) / 1024 / 1024);
  const settings: Record<string, string | number> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: SOCKET_PORT,
    max_connections: 100,
    // Touched only as far as it is needed, so a resting server stays small.
    shared_buffers: `${Math.max(16, Math.min(sharedBuffersMb, Math.floor(memoryMb / 4)))}MB`,
    effective_cache_size: `${Math.max(64, Math.floor(memoryMb / 2))}MB`,
    work_mem: '8MB',
    maintenance_work_mem: '64MB',
    huge_pages: 'off',
    // Short statements all day: compiling them and sharing them out costs more than it gives.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    max_parallel_maintenance_workers: 0,
    // One writer process less for each of these.
    io_method: 'sync',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_replication_slots: 0,
    max_logical_replication_workers: 0,
    // Nothing committed is lost; batches keep the price of that low.
    fsync: durable ? 'on' : 'off',
    synchronous_commit: 'on',
    wal_compression: 'on',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    checkpoint_completion_target: 0.9,
    random_page_cost: 1.1,
    autovacuum_max_workers: 2,
    autovacuum_naptime: '20s',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
    log_line_prefix: '%m ',
    update_process_title: 'off',
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Only part of the socket's file name: nothing listens on a port. */
export const SOCKET_PORT = 5432;
