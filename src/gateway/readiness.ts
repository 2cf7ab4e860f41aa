import type { Clock } from '../ports/clock.ts'
import type { NodeView, Readiness } from '../http/routes/operations/operations.ts'

/** The parts that readiness looks at. */
export interface ReadinessParts {
  readonly clock: Clock
  readonly database: {
    query(sql: string): Promise<unknown>
    /** True when something could not be stored lately for want of room. */
    readonly isFull: boolean
  }
  /** Free bytes for files and, when it is embedded, for the database. */
  readonly freeBytes: () => Promise<number>
  readonly media: { isAvailable(): boolean }
  readonly cluster: { isUp(): boolean }
  /** Items that wait for an operator. */
  readonly setAside: { count(): number }
  readonly isDraining: () => boolean
  readonly node: () => NodeView
}

/** our choice: readiness answers within 2 s, even when a part does not. */
const PATIENCE_MS = 1_500
/**
 * our choice: the least room for work under way, including a segment of the database's log (16 MB) and a large body (25
 * MB).
 */
const ROOM_BYTES = 64 * 1024 * 1024

/** Whether requests can be served, and if not, why. Never rejects. */
export async function readinessOf(parts: ReadinessParts): Promise<Readiness> {
  const [database, free] = await Promise.all([
    inTime(
      parts.clock,
      parts.database.query('select 1').then(
        () => 'ok',
        () => 'unreachable',
      ),
      'no answer within 2 s',
    ),
    inTime(
      parts.clock,
      parts.freeBytes().then(
        (bytes) => bytes,
        () => null,
      ),
      null,
    ),
  ])
  const disk = diskOf(free, parts.database.isFull)
  const isMediaThere = parts.media.isAvailable()
  const isDraining = parts.isDraining()
  const aside = parts.setAside.count()
  return {
    ok: database === 'ok' && disk === 'ok' && isMediaThere && !isDraining,
    isDegraded: aside > 0,
    checks: {
      database,
      disk,
      media: isMediaThere ? 'ok' : 'no media host is connected',
      redis: parts.cluster.isUp() ? 'ok' : 'down',
      node: isDraining ? 'draining' : 'ok',
      setAside:
        aside === 0
          ? 'ok'
          : `${aside} ${aside === 1 ? 'item waits' : 'items wait'} for an operator: npm run set-aside -- list`,
    },
    node: parts.node(),
  }
}

function diskOf(freeBytes: number | null, isDatabaseFull: boolean): string {
  if (isDatabaseFull) return 'full: the database could not store something'
  if (freeBytes === null) return 'the data directory does not answer'
  return freeBytes < ROOM_BYTES ? 'full: less than 64 MB are free for the data directory' : 'ok'
}

async function inTime<T>(clock: Clock, answer: Promise<T>, late: T): Promise<T> {
  const waited = Promise.withResolvers<T>()
  const timer = clock.after(PATIENCE_MS, () => waited.resolve(late))
  const value = await Promise.race([answer, waited.promise])
  timer.cancel()
  return value
}
