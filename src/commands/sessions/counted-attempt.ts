import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { emailKeyOf, LOGIN_FAILURES } from '../../domain/user.ts'
import type { LoginFailureStore, NotedFailure } from '../../ports/stores/login-failure-store.ts'

export interface CountedDeps {
  readonly loginFailures: LoginFailureStore
}

/** Whose password is tried, and from where. */
export interface Tried {
  readonly email: string
  readonly address: string
}

/**
 * Tries a password, which ends in INVALID_CREDENTIALS where it is wrong: no more than LOGIN_FAILURES of an account and address, and of an account, within 15
 * minutes. It is noted as failed before it is tried, so that many at once are no more. Refusals: RATE_LIMITED, whether it were right or not, and those of `attempt`.
 */
export async function countedAttempt<T>({ loginFailures }: CountedDeps, { email, address }: Tried, attempt: () => Promise<Outcome<T>>): Promise<Outcome<T>> {
  const account = emailKeyOf(email)
  const noted: NotedFailure[] = []
  const takeBack = () => Promise.all(noted.map((one) => loginFailures.takeBack(one)))
  // That of the address first: one that may try no more uses up nothing of the account's.
  for (const [bucket, most] of [[`address\n${address}\n${account}`, LOGIN_FAILURES.ofAddress], [`account\n${account}`, LOGIN_FAILURES.ofAccount]] as const) {
    const outcome = await loginFailures.note(bucket, most)
    if (outcome.noted === null) {
      await takeBack()
      return fail(refuse('RATE_LIMITED', 'Too many failed logins: try again later', undefined, Math.ceil(outcome.retryAfterMs / 1_000)))
    }
    noted.push(outcome.noted)
  }
  const outcome = await tried(attempt, takeBack)
  if (outcome.ok || outcome.error.code !== 'INVALID_CREDENTIALS') await takeBack()
  return outcome
}

/** A fault of ours is no failure of whoever tried. */
async function tried<T>(attempt: () => Promise<Outcome<T>>, takeBack: () => Promise<unknown>): Promise<Outcome<T>> {
  try {
    return await attempt()
  } catch (error) {
    await takeBack().catch(() => {})
    throw error
  }
}
