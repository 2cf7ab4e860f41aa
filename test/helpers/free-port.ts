import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Below the ports that a system gives to whoever names none (32768 on): another test's server or connection does not
 * take one while its process is away.
 */
const LOW = 10_000
const HIGH = 32_000

/**
 * A port that is free now, as are the `beside - 1` after it: for a process that comes back under the address by which
 * others know it.
 */
export async function freePort(beside: number = 1): Promise<number> {
  for (;;) {
    const port = randomInt(LOW, HIGH)
    const free = await Promise.all(Array.from({ length: beside }, (_, at) => isFree(port + at)))
    if (free.every(Boolean)) return port
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  server.close()
  await once(server, 'close')
  return true
}
