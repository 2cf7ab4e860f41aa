import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { emailKeyOf, LOGIN_LIMITS, type FailureLimit } from '../../domain/user.ts'
import type { NotedFailure } from '../../ports/stores/login-failure-store.ts'
import type { SessionPorts } from './ports.ts'

/** Whose password is tried, and from where. */
export interface Tried {
  readonly email: string
  readonly from: TriedFrom
}

/** Where a password is tried. */
export interface TriedFrom {
  /** Its address, or network of IPv6. */
  readonly countedAddress: string
  /** The name of a browser that signed in to the account before; null: it did not. */
  readonly browser: string | null
}

/**
 * Tries a password, which ends in INVALID_CREDENTIALS where it is wrong: no more often than LOGIN_LIMITS say. It is
 * noted as failed before it is tried, so that many at once are no more. Refusals: RATE_LIMITED, whether it were right
 * or not, and those of `attempt`.
 */
export async function countedAttempt<T>(
  { loginFailures }: SessionPorts,
  tried: Tried,
  attempt: () => Promise<Outcome<T>>,
): Promise<Outcome<T>> {
  const noted: NotedFailure[] = []
  const takeBack = () => Promise.all(noted.map((one) => loginFailures.takeBack(one)))
  for (const [bucket, limits] of bucketsOf(tried)) {
    const outcome = await loginFailures.note(bucket, limits)
    if (outcome.noted === null) {
      await takeBack()
      return fail(
        refuse(
          'RATE_LIMITED',
          'Too many failed logins: try again later',
          undefined,
          Math.ceil(outcome.retryAfterMs / 1_000),
        ),
      )
    }
    noted.push(outcome.noted)
  }
  const outcome = await triedOnce(attempt, takeBack)
  if (outcome.ok || outcome.error.code !== 'INVALID_CREDENTIALS') await takeBack()
  return outcome
}

/** Those of the address first: one that may try no more uses up nothing of the account's. */
function bucketsOf({
  email,
  from: { countedAddress, browser },
}: Tried): readonly (readonly [bucket: string, limits: readonly FailureLimit[]])[] {
  const account = emailKeyOf(email)
  if (browser !== null) return [[`browser\n${browser}\n${account}`, LOGIN_LIMITS.ofBrowser]]
  return [
    [`from\n${countedAddress}`, LOGIN_LIMITS.ofAddress],
    [`address\n${countedAddress}\n${account}`, LOGIN_LIMITS.ofAddressAndAccount],
    [`account\n${account}`, LOGIN_LIMITS.ofAccount],
  ]
}

/** A fault of ours is no failure of whoever tried. */
async function triedOnce<T>(attempt: () => Promise<Outcome<T>>, takeBack: () => Promise<unknown>): Promise<Outcome<T>> {
  try {
    return await attempt()
  } catch (error) {
    await takeBack().catch(() => {})
    throw error
  }
}
