import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Ports below 32768, from which systems assign ports by themselves, so that no server or connection of another test
 * takes the port while its process is away.
 */
const LOW = 10_000
const HIGH = 32_000

/**
 * A port that is free now, with the `beside - 1` ports after it, for a process that restarts under the address that
 * others know.
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
