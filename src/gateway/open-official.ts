import type { AccountChangesDeps } from '../commands/official/account-changes.ts'
import { enableDueCalling } from '../commands/official/enable-calling.ts'
import { hastenCalling } from '../commands/official/hasten-calling.ts'
import { createMarks } from '../commands/official/mark.ts'
import type { NumberId } from '../domain/ids.ts'
import { readCallEvents } from '../providers/official/inbound/call-events.ts'
import { readMessageEvents } from '../providers/official/inbound/message-events.ts'
import { isSignedBy } from '../providers/official/inbound/signature.ts'
import { createWebhookReader } from '../providers/official/inbound/reader.ts'
import { createOfficial } from '../providers/official/official.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import { openAccountChanges } from './open-account-changes.ts'
import type { Upstreams } from './open-upstreams.ts'

/** Our choice: how often due tries to enable calling are looked for; one index read. */
const CALLING_EVERY_MS = 30_000

interface OfficialNeeds extends Pick<Upstreams, 'officialUrl'> {
  readonly stores: Pick<Stores, 'official' | 'accountChanges' | 'setAside'>
  /** Public base of REST, where upstream delivers. */
  readonly baseUrl: string
  /** Starts a number; called only after something happened on it. */
  readonly receive: (numberId: NumberId) => Promise<void>
  readonly templateTold: AccountChangesDeps['templateTold']
  readonly flowTold: AccountChangesDeps['flowTold']
}

export type OpenOfficial = ReturnType<typeof openOfficial>

/** Joins what OFFICIAL numbers are made of: client and driver, marks, tries to enable calling. */
export function openOfficial(core: Core, needs: OfficialNeeds) {
  const { clock, log, metrics, closing, upkeep } = core
  const { officialUrl, baseUrl, receive, stores } = needs
  const { official } = stores
  const marks = createMarks({ official, receive, log })
  const { driver, officialOf, pageOf, adsOf, close } = createOfficial({
    apiUrl: officialUrl,
    clock,
    log,
    metrics,
    onMark: (phoneId, mark, accessToken) => marks.note(phoneId, mark, accessToken),
  })
  closing.add('official platform', close)
  const reader = createWebhookReader({ clock, log })
  closing.add('reader of official webhooks', () => reader.close())
  closing.add('marks of official numbers', () => marks.stored())
  const marksStored = () => marks.stored()
  const tries = upkeep.add({
    name: 'enable-calling',
    everyMs: CALLING_EVERY_MS,
    run: (isWanted) => enableDueCalling({ official, officialOf, marksStored, baseUrl, log }, isWanted),
  })
  const accounts = openAccounts(core, needs, () => tries.wake())
  return {
    /** For the registry. */
    driver,
    /** For the directory. */
    readCallEvents,
    readMessageEvents,
    /** For REST. */
    officialOf,
    marksStored,
    splitChanges: reader.splitChanges,
    isSigned: isSignedBy,
    /** For leads and referrals. */
    pageOf,
    adsOf,
    readLeadNotices: reader.readLeadNotices,
    receiveAccount: (): void => accounts.wake(),
  }
}

/** What upstream changes of accounts. `wakeTries`: a try to enable calling is due. */
function openAccounts(core: Core, { stores, templateTold, flowTold }: OfficialNeeds, wakeTries: () => void) {
  const { official, accountChanges: changes, setAside } = stores
  return openAccountChanges(core, {
    changes,
    setAside,
    hastenCalling: (tenantId, accountId) => hastenCalling({ official, wakeTries }, tenantId, accountId),
    templateTold,
    flowTold,
  })
}
