/**
 * The least a Fastify server can do: `api-bare.ts FILE` sends the bodies of the file, each on a route of its own, without
 * hooks, checks or headers of its own. POST routes parse their JSON.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import Fastify from 'fastify';

const routes = JSON.parse(readFileSync(process.argv[2]!, 'utf8')) as { method: 'GET' | 'POST'; body: string }[];
const server = Fastify({ logger: false, forceCloseConnections: true });
for (const [at, { method, body }] of routes.entries())
  server.route({
    method,
    url: `/${at}`,
    handler: (_, reply) => reply.type('application/json; charset=utf-8').send(body),
  });
await server.listen({ host: '127.0.0.1', port: 0 });
console.log(JSON.stringify({ port: (server.server.address() as AddressInfo).port }));
