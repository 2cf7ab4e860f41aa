import type { ExecutionContext } from 'ava'
import { newId } from '../../../../src/domain/ids.ts'
import type { MessageButton } from '../../../../src/domain/message.ts'
import { DEFAULT_SETTINGS } from '../../../../src/domain/number.ts'
import { lateClock } from '../../../helpers/late-clock.ts'
import { createOfficialDriver } from '../../../../src/providers/official/driver.ts'
import type { OfficialDriverOptions } from '../../../../src/providers/official/driver.ts'
import { CREDENTIALS, rig } from '../scripted-graph.ts'
import type { RigOptions } from '../scripted-graph.ts'

export const AT = 'POST /1001/messages'
export const TAKEN = { json: { messaging_product: 'whatsapp', messages: [{ id: 'wamid.A' }] } }
export const SENT = { kind: 'sent', externalMessageId: 'wamid.A' } as const

/** A number's session on a scripted upstream that accepts every message. */
export async function opened(
  t: ExecutionContext,
  options: RigOptions = {},
  more: Pick<OfficialDriverOptions, 'marketing'> = {},
) {
  const parts = await rig(t, options)
  const driver = createOfficialDriver({ graph: parts.graph, clock: options.clock ?? lateClock, ...more })
  const open = (phoneId = CREDENTIALS.phoneId) => {
    const session = driver.openSession(
      {
        numberId: newId('num'),
        number: '15550123456',
        credentials: JSON.stringify({ ...CREDENTIALS, phoneId }),
        settings: DEFAULT_SETTINGS,
        historyImport: false,
        wantsStories: false,
        ackedSeq: 0,
      },
      () => {},
    )
    t.teardown(() => session.close())
    return session
  }
  parts.server.on(AT, TAKEN)
  return { ...parts, session: open(), open }
}

export const QUICK: readonly MessageButton[] = ['Yes', 'No', 'Later'].map((label) => ({
  type: 'QUICK_REPLY',
  text: label,
  id: `id-${label}`,
}))
export const URL_BUTTON: MessageButton = { type: 'URL', text: 'Open', url: 'https://example.com' }
