/**
 * Why a program cannot start, in a line (or a list) that names the variable and what to do. It needs no stack trace.
 */
export class StartFault extends Error {
  constructor(line: string) {
    super(line)
    this.name = 'StartFault'
  }
}

/** The line of a fault that the operator can correct; null for any other error. */
export function faultLine(error: unknown): string | null {
  return error instanceof StartFault ? error.message : null
}

/**
 * Rethrows an error whose message already says what to do, such as a folder in use. `variable` is added where the
 * message does not name it.
 */
export function inOneLine(variable: string | null): (error: unknown) => never {
  return (error) => {
    const text = error instanceof Error ? error.message : String(error)
    throw new StartFault(variable === null || text.includes(variable) ? text : `${variable}: ${text}`)
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Runs `bind`, which binds the port of a variable. A reason why the port cannot be bound becomes a StartFault. */
export async function binding<T>(variable: string, host: string, port: number, bind: () => Promise<T>): Promise<T> {
  try {
    return await bind()
  } catch (error) {
    throw portFault(variable, host, port, codeOf(error)) ?? error
  }
}

function portFault(variable: string, host: string, port: number, code: string): StartFault | null {
  switch (code) {
    case 'EADDRINUSE':
      return new StartFault(`${variable} ${port} is taken: stop the other program or set ${variable}`)
    case 'EACCES':
      return new StartFault(`${variable} ${port} may not be opened by this user: set ${variable} to a port above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new StartFault(`HOST ${host} is no address of this machine: set HOST`)
    default:
      return null
  }
}

/**
 * Why PostgreSQL cannot be used, by the code of the error from it or from the connection. Passwords in the address are
 * never shown.
 */
const DATABASE_FAULTS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there: start PostgreSQL or correct DATABASE_URL',
  ENOTFOUND: 'there is no such host: correct DATABASE_URL',
  EAI_AGAIN: 'its host name cannot be looked up now: correct DATABASE_URL or wait for the network',
  ETIMEDOUT: 'it does not answer: correct DATABASE_URL or the network between',
  ENETUNREACH: 'there is no way to it: correct DATABASE_URL or the network between',
  EHOSTUNREACH: 'there is no way to it: correct DATABASE_URL or the network between',
  // SQLSTATEs.
  '28P01': 'it refuses the password: correct DATABASE_URL',
  '3D000': 'it has no such database: create it or correct DATABASE_URL',
  '53300': 'it has no connection left: raise max_connections or lower DATABASE_POOL',
  '57P03': 'it is starting: try again in a moment',
}

/** SQLSTATE of a user who may not log in. */
const REFUSED_USER = new Set(['28000'])

/**
 * The fault of opening the database, when an operator can correct it; null for any other. `url` is PostgreSQL's, null
 * for the embedded database.
 */
export function databaseFault(url: string | null, error: unknown): StartFault | null {
  if (error instanceof Error && codeOf(error) === 'NEWER_SCHEMA') return new StartFault(error.message)
  if (url === null) return null
  const { hostname, port, pathname, username } = new URL(url)
  const isRefused = REFUSED_USER.has(codeOf(error))
  const reason = isRefused
    ? `it refuses the user ${decodeURIComponent(username)}: write DATABASE_URL as postgres://USER:PASSWORD@HOST/DATABASE, or correct pg_hba.conf`
    : reasonOf(error)
  return reason === null
    ? null
    : new StartFault(`DATABASE_URL: ${hostname}:${port || '5432'}${pathname} cannot be used, ${reason}`)
}

function reasonOf(error: unknown): string | null {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).find((reason) => reason !== null) ?? null
  const known = DATABASE_FAULTS[codeOf(error)]
  if (known !== undefined) return known
  // The driver's own timeout has no code.
  if (error instanceof Error && /timeout|terminated/i.test(error.message)) return DATABASE_FAULTS['ETIMEDOUT'] ?? null
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : null
}
