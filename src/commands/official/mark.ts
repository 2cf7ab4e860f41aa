import type { NumberId } from '../../domain/ids.ts'
import { callingRetryMs } from '../../domain/official.ts'
import type { NumberMark } from '../../domain/official.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'

export interface MarkDeps {
  readonly official: Pick<OfficialStore, 'findByPhone' | 'credentials' | 'save'>
  /** Starts a number, so that its session sees what changed. */
  readonly receive: (numberId: NumberId) => Promise<void>
}

/**
 * Stores what an answer of upstream, asked with `accessToken`, said of the number itself. Of a token that was replaced
 * meanwhile it says nothing.
 */
export async function markNumber(
  { official, receive }: MarkDeps,
  phoneId: string,
  mark: NumberMark,
  accessToken: string,
): Promise<void> {
  const number = await official.findByPhone(phoneId)
  if (!number?.official) return
  const { callingStatus, isTokenValid } = number.official
  switch (mark) {
    case 'TOKEN_INVALID':
      if (!isTokenValid || (await official.credentials(number.tenantId, number.id))?.accessToken !== accessToken) return
      await official.save(number.tenantId, number.id, { isTokenValid: false })
      return receive(number.id)
    case 'CALLING_DISABLED':
      if (callingStatus === 'ENABLED') await official.save(number.tenantId, number.id, { callingStatus: 'NOT_ENABLED' })
      return
    case 'PENDING_TIER':
    case 'PENDING_WEBHOOK':
      if (callingStatus !== mark)
        await official.save(number.tenantId, number.id, {
          callingStatus: mark,
          callingRetry: { tries: 1, inMs: callingRetryMs(1) },
        })
  }
}

/** What upstream's answers say of numbers, stored behind them. */
export interface Marks {
  /** Returns at once, never throws. */
  note(phoneId: string, mark: NumberMark, accessToken: string): void
  /** Resolves once all that was noted so far is stored, or could not be. */
  stored(): Promise<void>
}

export function createMarks({ log, ...deps }: MarkDeps & { readonly log: Log }): Marks {
  let all: Promise<void> = Promise.resolve()
  return {
    note(phoneId, mark, accessToken) {
      const stored = markNumber(deps, phoneId, mark, accessToken).catch((error: unknown) =>
        log.warn({ mark, error: String(error) }, 'what upstream said of a number was not stored'),
      )
      all = Promise.all([all, stored]).then(() => {})
    },
    stored: () => all,
  }
}
