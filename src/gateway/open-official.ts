import type { Directory } from '../../actors/hosting/directory.ts'
import { createMarks } from '../commands/official/mark.ts'
import { createMarketing } from '../commands/official/marketing.ts'
import { createOfficialAccounts } from '../commands/official/official.ts'
import type { OfficialPorts } from '../commands/official/ports.ts'
import type { NumberId } from '../domain/ids.ts'
import { readAccountEvents } from '../providers/official/inbound/account-events.ts'
import { readCallEvents } from '../providers/official/inbound/call-events.ts'
import { readMessageEvents } from '../providers/official/inbound/message-events.ts'
import { isSignedBy } from '../providers/official/inbound/signature.ts'
import { createWebhookReader } from '../providers/official/inbound/reader.ts'
import { createOfficial } from '../providers/official/official.ts'
import type { Stores } from '../storage/stores.ts'
import type { Core } from './core.ts'
import { openAccountChanges } from './open-account-changes.ts'
import type { Upstreams } from './open-upstreams.ts'

/** Our choice: how often due tries to enable calling are looked for, in ms; one index read. */
const CALLING_EVERY_MS = 30_000

interface OfficialNeeds
  extends Pick<Upstreams, 'officialUrl'>, Pick<OfficialPorts, 'broadcast' | 'templateTold' | 'flowTold'> {
  readonly stores: Stores
  /** Public base of REST, to which upstream delivers. */
  readonly baseUrl: string
  /** A function, because the directory is opened later; it is called only after something happened on a number. */
  readonly directory: () => Directory
}

export type OpenOfficial = ReturnType<typeof openOfficial>

/** Opens the parts of OFFICIAL numbers: client and driver, read marks, commands. */
export function openOfficial(core: Core, needs: OfficialNeeds) {
  const { clock, log, metrics, closing } = core
  const { officialUrl, stores, directory } = needs
  const marks = createMarks({ ...stores, receive: (numberId) => directory().receive(numberId), log })
  const marketing = createMarketing({ ...stores, broadcast: needs.broadcast, clock, log })
  const { driver, officialOf, pageOf, adsOf, close } = createOfficial({
    apiUrl: officialUrl,
    clock,
    log,
    metrics,
    onMark: (phoneId, mark, accessToken) => marks.note(phoneId, mark, accessToken),
    marketing,
  })
  closing.add('official platform', close)
  const reader = createWebhookReader({ clock, log })
  closing.add('reader of official webhooks', () => reader.close())
  closing.add('marks of official numbers', () => marks.stored())
  const marksStored = () => marks.stored()
  return {
    /** This goes to the registry. */
    driver,
    /** These go to the directory. */
    readCallEvents,
    readMessageEvents,
    /** These go to the REST layer. */
    ...openAccounts(core, {
      ...needs,
      officialOf,
      marksStored,
      marketingSigned: (account) => marketing.signed(account),
    }),
    marketingChosen: (numberId: NumberId) => marketing.chosen(numberId),
    officialOf,
    marksStored,
    splitChanges: reader.splitChanges,
    isSigned: isSignedBy,
    /** These go to leads and referrals. */
    pageOf,
    adsOf,
    readLeadNotices: reader.readLeadNotices,
  }
}

interface AccountNeeds extends OfficialNeeds, Pick<OfficialPorts, 'officialOf' | 'marksStored' | 'marketingSigned'> {}

/** Opens the commands on accounts and their numbers, and their chores: enabling calls, and changes from upstream. */
function openAccounts({ clock, log, upkeep }: Core, { directory, ...needs }: AccountNeeds) {
  const officialCommands = createOfficialAccounts({
    ...needs.stores,
    ...needs,
    readEvents: readAccountEvents,
    receive: (numberId) => directory().receive(numberId),
    askApplySettings: (numberId, fields) => directory().tellNumber(numberId, 'ApplySettings', fields),
    sendsQueued: (numberId) => directory().sendsQueued(numberId),
    askReopen: (numberId) => directory().tellNumber(numberId, 'Reopen', {}),
    wakeTries: () => tries.wake(),
    clock,
    log,
  })
  const tries = upkeep.add({ name: 'enable-calling', everyMs: CALLING_EVERY_MS, run: officialCommands.enableDue })
  const accounts = openAccountChanges({ upkeep }, officialCommands)
  return { officialCommands, receiveAccount: (): void => accounts.wake() }
}
