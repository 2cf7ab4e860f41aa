import { once } from 'node:events'
import { chmod, unlink } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { z } from 'zod'
import type { TenantId } from '../domain/ids.ts'
import type { ListedTenant } from '../ports/stores/tenant-store.ts'

/**
 * Socket for operator commands to a running gateway, in the data directory: whoever may read that directory holds its
 * secrets anyway. Only one process can open the embedded database, so commands that need it ask the gateway.
 */
const SOCKET_FILE = 'admin.sock'

const TENANT = z.object({ name: z.string().trim().min(1).max(100) })
const ROTATION = z.object({ tenantId: z.string() })

/** A tenant with its key, which is shown once. */
export interface ShownTenant {
  readonly tenantId: TenantId
  readonly key: string
}

/** Operator commands on tenants. */
export interface TenantDesk {
  create(name: string): Promise<ShownTenant>
  list(): Promise<ListedTenant[]>
  /** Throws when there is no such tenant. */
  rotate(tenantId: string): Promise<ShownTenant>
}

function socketPath(dataDir: string): string {
  return join(dataDir, SOCKET_FILE)
}

/**
 * Commands by the path they are posted to. A command throws for a body that is not its own, and says in words why it
 * cannot run.
 */
export type AdminCommands = Readonly<Record<string, (body: unknown) => Promise<unknown>>>

function tenantCommands(desk: TenantDesk): AdminCommands {
  return {
    '/tenants': (body) => desk.create(TENANT.parse(body).name),
    '/tenants/list': () => desk.list(),
    '/tenants/rotate': (body) => desk.rotate(ROTATION.parse(body).tenantId),
  }
}

async function answerTo(commands: AdminCommands, method: string, path: string, body: unknown): Promise<unknown> {
  const command = method === 'POST' && Object.hasOwn(commands, path) ? commands[path] : undefined
  if (!command) throw new Error('the running gateway does not know this command')
  return command(body)
}

/**
 * Answers operator commands. The caller holds the lock of the data directory, so a socket file left there belongs to
 * nobody.
 */
export async function listenForAdmin(
  dataDir: string,
  desk: TenantDesk,
  further: AdminCommands = {},
): Promise<{ close(): void }> {
  const path = socketPath(dataDir)
  const commands = { ...tenantCommands(desk), ...further }
  await unlink(path).catch(() => {})
  const server = createServer((incoming, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    }
    json(incoming)
      .then((body) => answerTo(commands, incoming.method ?? '', incoming.url ?? '', body))
      .then(
        (done) => answer(200, done),
        (error: unknown) => answer(400, { error: error instanceof Error ? error.message : 'failed' }),
      )
  })
  server.listen(path)
  await once(server, 'listening')
  await chmod(path, 0o600)
  return { close: () => void server.close() }
}

/** Asks a running gateway; null when none listens in this data directory. */
export async function ask<T>(dataDir: string, path: string, fields: object): Promise<T | null> {
  const asked = request({ socketPath: socketPath(dataDir), method: 'POST', path })
  asked.end(JSON.stringify(fields))
  try {
    const [response] = await once(asked, 'response')
    const body = (await json(response)) as T & { error?: string }
    if (response.statusCode !== 200) throw new Error(body.error ?? 'the gateway refused')
    return body
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ECONNREFUSED'))
      return null
    throw error
  }
}

/** Asks a running gateway to create a tenant; null when none listens in this data directory. */
export function askToCreateTenant(dataDir: string, name: string): Promise<ShownTenant | null> {
  return ask(dataDir, '/tenants', { name })
}

/** Asks a running gateway for its tenants; null when none listens in this data directory. */
export function askForTenants(dataDir: string): Promise<ListedTenant[] | null> {
  return ask(dataDir, '/tenants/list', {})
}

/** Asks a running gateway to replace the key of a tenant; null when none listens in this data directory. */
export function askToRotateTenant(dataDir: string, tenantId: string): Promise<ShownTenant | null> {
  return ask(dataDir, '/tenants/rotate', { tenantId })
}
