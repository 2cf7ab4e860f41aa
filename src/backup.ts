/**
 * `npm run backup -- --to FOLDER`: a copy of an embedded installation as it is at one moment. A running gateway is
 * asked to make it, and goes on.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, readConfig } from './config.ts'
import { backUpAtRest } from './gateway/backup-at-rest.ts'
import { askForBackup } from './gateway/backup-desk.ts'

const USAGE = 'usage: npm run backup -- --to FOLDER [--json]'
const MEGABYTE = 1_000_000

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { to: { type: 'string' }, json: { type: 'boolean', default: false } } })
  if (!values.to) throw new Error(USAGE)
  const { databaseUrl, dataDir, files: bucketSettings } = readConfig(process.env)
  if (databaseUrl !== null)
    throw new Error(
      'DATABASE_URL names a PostgreSQL, which has backups of its own: docs/scale.md says what belongs to one',
    )
  // The gateway has a working directory of its own.
  const to = resolve(values.to)
  const made = (await askForBackup(dataDir, to)) ?? (await backUpAtRest({ dataDir, files: bucketSettings }, to))
  if (values.json) return console.log(JSON.stringify(made))
  const { files, bytes, stillMs, bucket } = made
  console.log(
    `backed up to ${made.to}: ${files} files, ${(bytes / MEGABYTE).toFixed(1)} MB; the database stood still for ${stillMs} ms`,
  )
  console.log('It holds the encryption key and all that this opens: keep it as you keep the data directory.')
  if (bucket !== null)
    console.log(
      `Files in the bucket at ${bucket} belong to it and are not in it, but those that wait for their upload: keep them, and set FILES_URL as it is now.`,
    )
  console.log(`To start it: DATA_DIR=${made.to} npm start`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof ConfigError || error instanceof Error ? error.message : error)
  process.exitCode = 1
}
