import { callingRetryMs } from '../../domain/official.ts'
import type { NumberMark } from '../../domain/official.ts'
import type { SessionHealth } from '../../domain/engine.ts'
import type { OfficialPorts } from './ports.ts'

/** The health of a number whose account upstream has blocked or locked ([message-verbs.pace.3]). */
const RESTRICTED: SessionHealth = {
  level: 'restricted',
  code: 'account_restricted',
  text: 'The official platform refuses requests of this account; its Business Manager says why.',
}

/** The ports of marks. Marks exist before upstream can be asked, because its answers make them. */
type MarkPorts = Pick<OfficialPorts, 'official' | 'receive' | 'log'>

/**
 * Stores what an answer of upstream, asked with `accessToken`, says of the number itself. An answer to a token that was
 * replaced meanwhile says nothing of the number.
 */
async function markNumber(
  { official, receive }: MarkPorts,
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
    case 'RESTRICTED':
      if (number.sessionHealth?.level !== 'restricted')
        await official.save(number.tenantId, number.id, { sessionHealth: RESTRICTED })
      return
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

/** Stores what upstream's answers say of numbers, while those answers go on. */
export interface Marks {
  /** Returns at once, never throws. */
  note(phoneId: string, mark: NumberMark, accessToken: string): void
  /** Resolves once everything noted so far is stored, or could not be. */
  stored(): Promise<void>
}

/** Makes the marks of a node. */
export function createMarks(ports: MarkPorts): Marks {
  let all: Promise<void> = Promise.resolve()
  return {
    note(phoneId, mark, accessToken) {
      const stored = markNumber(ports, phoneId, mark, accessToken).catch((error: unknown) =>
        ports.log.warn(
          { mark, error: String(error) },
          'a state that upstream reported of a number was not stored; the next answer reports it again',
        ),
      )
      all = Promise.all([all, stored]).then(() => {})
    },
    stored: () => all,
  }
}
