import { once } from 'node:events'
import { chmod, unlink } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import type { TenantStore } from './ports/stores/tenant-store.ts'

/**
 * Operator commands to a running gateway, over a Unix socket in the data directory: whoever may
 * read that directory holds its secrets anyway. The embedded database has one process only,
 * so commands that need it ask the gateway instead of opening it themselves.
 */
const SOCKET_FILE = 'admin.sock'

const TENANT = z.object({ name: z.string().trim().min(1).max(100) })
export type CreatedTenant = Awaited<ReturnType<TenantStore['create']>>

function socketPath(dataDir: string): string {
  return join(dataDir, SOCKET_FILE)
}

/** Answers operator commands. The caller holds the lock of the data directory, so a socket left over is nobody's. */
export async function listenForAdmin(dataDir: string, tenants: TenantStore): Promise<{ close(): void }> {
  const path = socketPath(dataDir)
  await unlink(path).catch(() => {})
  const server = createServer((incoming, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    json(incoming)
      .then((body) => tenants.create(TENANT.parse(body).name))
      .then((created) => answer(201, created), (error: unknown) => answer(400, { error: error instanceof Error ? error.message : 'failed' }))
  })
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return { close: () => void server.close() }
}

/** Asks a running gateway to create a tenant; null when none listens in this data directory. */
export async function askToCreateTenant(dataDir: string, name: string): Promise<CreatedTenant | null> {
  const asked = request({ socketPath: socketPath(dataDir), method: 'POST', path: '/tenants' })
  asked.end(JSON.stringify({ name }))
  try {
    const [response] = await once(asked, 'response')
    const body = await json(response) as CreatedTenant & { error?: string }
    if (response.statusCode !== 201) throw new Error(body.error ?? 'the gateway refused')
    return body
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED')) return null
    throw error
  }
}
