import { randomBytes } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { Client } from 'pg'
import { cpuMs } from './process-figures.ts'

/** The server that benchmarks may use; null without one. */
const SERVER = process.env['BENCH_DATABASE_URL'] || process.env['TEST_DATABASE_URL'] || null

/** A PostgreSQL database for one run. */
export interface OwnDatabase {
  readonly url: string
  /** CPU that the server's processes for this database used since the last call, in ms; null on another machine. */
  cpuMs(): Promise<number | null>
  drop(): Promise<void>
}

/** Makes a database on the server of BENCH_DATABASE_URL or TEST_DATABASE_URL; null without one. */
export async function createOwnDatabase(): Promise<OwnDatabase | null> {
  if (SERVER === null) return null
  const name = `engine_bench_${randomBytes(4).toString('hex')}`
  const admin = new Client(SERVER)
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(SERVER)
  url.pathname = `/${name}`
  const known = new Map<number, number>()
  return {
    url: url.href,
    async cpuMs() {
      const { rows } = await admin.query<{ pid: number }>('select pid from pg_stat_activity where datname = $1', [name])
      const here = new Set(readdirSync('/proc'))
      if (!rows.every(({ pid }) => here.has(String(pid)))) return null
      let used = 0
      for (const { pid } of rows) {
        const now = cpuMs(pid)
        used += now - (known.get(pid) ?? 0)
        known.set(pid, now)
      }
      return used
    },
    async drop() {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}
