import { randomBytes } from 'node:crypto'
import { link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId, type NodeId } from '../../domain/ids.ts'

/**
 * Secrets generated into DATA_DIR for an embedded installation ([configuration.variables.10],
 * [configuration.variables.11]).
 */
export interface Secrets {
  /** 32 bytes in base64, the form of ENCRYPTION_KEY. */
  readonly encryptionKey: string
  readonly internalSecret: string
}

/**
 * Reads a small file of the data directory, or writes it whole with `make` when it is missing. Only its owner may read
 * it. When two processes make it at once, both get the one that won.
 */
async function readOrMake(dataDir: string, name: string, make: () => string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const path = join(dataDir, name)
  const existing = await readFile(path, 'utf8').catch(() => null)
  if (existing !== null) return existing.trim()
  const draft = `${path}.${process.pid}.${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${make()}\n`, { mode: 0o600, flush: true })
  try {
    await link(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    await unlink(draft)
  }
  return (await readFile(path, 'utf8')).trim()
}

/** Answers the secrets of the data directory, made on first use. Losing the files loses what they sealed. */
export async function loadOrCreateSecrets(dataDir: string): Promise<Secrets> {
  return {
    encryptionKey: await readOrMake(dataDir, 'encryption-key', () => randomBytes(32).toString('base64')),
    internalSecret: await readOrMake(dataDir, 'internal-secret', () => randomBytes(32).toString('base64url')),
  }
}

/**
 * The name of this node, kept in the data directory, so that after a restart it may take its own leases again at once.
 */
export async function loadOrCreateNodeId(dataDir: string): Promise<NodeId> {
  return (await readOrMake(dataDir, 'node-id', () => newId('node'))) as NodeId
}
