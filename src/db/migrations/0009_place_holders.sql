-- Who holds a place: a process as processName() names it, or the worker of a task that was paused or cancelled. When the process is
-- gone, its places need not wait for their leases to run out.
ALTER TABLE side_requests ADD COLUMN holder text;
