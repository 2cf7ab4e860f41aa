import { createHash } from 'node:crypto'
import { cpSync } from 'node:fs'
import { access, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = new URL('../../', import.meta.url)
/** Files that decide the content of a fresh embedded database. */
const SOURCES = [
  'migrations',
  'src/storage/engine/orm-options.ts',
  'src/storage/engine/open-embedded.ts',
  'src/storage/engine/pglite-worker.ts',
  'src/jobs/jobs.ts',
  'package-lock.json',
  'test/helpers/migrated-folder.ts',
]

/**
 * Template databases, by their ids in every PostgreSQL. They are half of all files, and no database is made from them
 * here.
 */
const TEMPLATES = ['1', '4']

async function textOf(path: string): Promise<string> {
  if (/\.\w+$/.test(path)) return await readFile(new URL(path, ROOT), 'utf8')
  const names = (await readdir(new URL(path, ROOT))).toSorted()
  return (await Promise.all(names.map((name) => textOf(`${path}/${name}`)))).join('\n')
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  )
}

/**
 * A data directory whose embedded database has its tables and its job queue, and no rows. It is made once for all
 * processes of all runs.
 */
async function migratedFolder(): Promise<string> {
  const hash = createHash('sha256')
    .update((await Promise.all(SOURCES.map(textOf))).join('\n'))
    .digest('hex')
    .slice(0, 16)
  const folder = join(tmpdir(), `cms-migrated-${hash}`)
  if (await exists(folder)) return folder
  const made = await mkdtemp(join(tmpdir(), 'cms-test-'))
  // Only the first run needs this module.
  const { migrate } = await import('./migrate.ts')
  await migrate(made)
  for (const oid of TEMPLATES) await rm(join(made, 'pglite', 'base', oid), { recursive: true })
  try {
    await rename(made, folder)
  } catch (error) {
    // Another process was faster.
    if (!(await exists(folder))) throw error
    await rm(made, { recursive: true })
  }
  return folder
}

let folder: Promise<string> | null = null

/**
 * Copies an embedded database in the state after a first start into a data directory. Opening it costs a quarter of a
 * fresh one (measured: 1.5 s of CPU instead of 6.5). The copy is one synchronous call, because a promise for each of
 * 800 files costs as much as copying them.
 */
export async function copyMigrated(dataDir: string): Promise<void> {
  folder ??= migratedFolder()
  cpSync(join(await folder, 'pglite'), join(dataDir, 'pglite'), { recursive: true })
}
