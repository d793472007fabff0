/**
 * `api-slow.ts PORT COUNT`: clients that hold connections. Half send a request a byte at a time and never end it, half ask for
 * a large answer again and again and read nothing. One that is cut off comes back at once. Prints a line when all are there.
 */
import { connect } from 'node:net';

const [port, count] = process.argv.slice(2).map(Number) as [number, number];
const LARGE = 'GET /api/v1/openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n';
const BYTE_MS = 1_000;
let [open, cut] = [0, 0];

function hold(reads: boolean): void {
  const socket = connect({ host: '127.0.0.1', port });
  let timer: NodeJS.Timeout | undefined;
  socket.on('connect', () => {
    open++;
    if (open === count && cut === 0) console.log(JSON.stringify({ open }));
    if (reads) {
      socket.write('GET /api/v1/tags HTTP/1.1\r\nhost: localhost\r\nx-slow: ');
      timer = setInterval(() => socket.write('x'), BYTE_MS);
    } else {
      socket.pause();
      socket.write(LARGE.repeat(10));
    }
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearInterval(timer);
    open--;
    cut++;
    setTimeout(() => hold(reads), 10);
  });
}

for (let at = 0; at < count; at++) hold(at % 2 === 0);
setInterval(() => console.log(JSON.stringify({ open, cut })), 1_000);
