import { fail, refuse } from '../../domain/errors.ts'
import type { Outcome } from '../../domain/errors.ts'
import { emailKeyOf, LOGIN_LIMITS, type FailureLimit } from '../../domain/user.ts'
import type { NotedFailure } from '../../ports/stores/login-failure-store.ts'
import type { SessionPorts } from './ports.ts'

/** The account whose password is tried, and where from. */
export interface Tried {
  readonly email: string
  readonly from: TriedFrom
}

/** Where a password is tried from. */
export interface TriedFrom {
  /** The client's address, or its network for IPv6. */
  readonly countedAddress: string
  /** The name of a browser that has signed in to the account before; null when it has not. */
  readonly browser: string | null
}

/**
 * Tries a password, at most as often as LOGIN_LIMITS say; a wrong one ends in INVALID_CREDENTIALS. A try is noted as
 * failed before it is made, so that many at once do not pass the limits. Refusals: RATE_LIMITED, whether the password
 * is right or not; those of `attempt`.
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

/** Buckets of the address come first, so that an address past its limit uses up none of the account's tries. */
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

/** Takes the noted failures back when the attempt throws: a fault of ours is no failure of the caller. */
async function triedOnce<T>(attempt: () => Promise<Outcome<T>>, takeBack: () => Promise<unknown>): Promise<Outcome<T>> {
  try {
    return await attempt()
  } catch (error) {
    await takeBack().catch(() => {})
    throw error
  }
}
