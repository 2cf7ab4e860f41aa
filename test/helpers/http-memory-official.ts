import { createHmac } from 'node:crypto'
import { succeed } from '../../src/domain/errors.ts'
import type { OfficialFacts } from '../../src/domain/official.ts'
import type { Clock } from '../../src/ports/clock.ts'
import type { OfficialCredentials } from '../../src/ports/official/credentials.ts'
import type { OfficialNumber, OfficialOf } from '../../src/ports/official/number.ts'
import { readAccountEvents } from '../../src/providers/official/inbound/account-events.ts'
import { MemoryInbound } from './memory/changes.ts'
import type { MemoryNumbers } from './memory/numbers.ts'
import { MemoryOfficial } from './memory/official.ts'
import type { MemoryRows } from './memory/rows.ts'

export const OFFICIAL_FACTS: OfficialFacts = {
  phoneId: '1000',
  accountId: '2000',
  appId: '3000',
  callingStatus: 'ENABLED',
  qualityRating: 'GREEN',
  messagingLimitTier: 'TIER_2K',
  officialStatus: 'CONNECTED',
  checkedAt: null,
  isTokenValid: true,
}

/** An operation of an OFFICIAL number, by port and method, such as `calling.enable`. */
type Op = { [P in keyof OfficialNumber]: `${P}.${keyof OfficialNumber[P] & string}` }[keyof OfficialNumber]
type RequestOf<K extends Op> = K extends `${infer P extends keyof OfficialNumber}.${infer M}`
  ? M extends keyof OfficialNumber[P]
    ? OfficialNumber[P][M]
    : never
  : never
type ArgsOf<K extends Op> = RequestOf<K> extends (...args: infer A) => unknown ? A : never
type AnswerOf<K extends Op> = RequestOf<K> extends (...args: never) => Promise<infer R> ? R : never
type Scripted<K extends Op> = (
  credentials: OfficialCredentials,
  ...args: ArgsOf<K>
) => AnswerOf<K> | Promise<AnswerOf<K>>

/** An upstream that answers by script, with success by default, and records requests. */
export class ScriptedPlatform {
  readonly asked: { readonly op: Op; readonly args: readonly unknown[] }[] = []
  script: { readonly [K in Op]?: Scripted<K> } = {}

  readonly officialOf: OfficialOf = (credentials) => {
    const answers =
      <K extends Op>(op: K, otherwise: AnswerOf<K>) =>
      async (...args: ArgsOf<K>): Promise<AnswerOf<K>> => {
        this.asked.push({ op, args: [credentials, ...args] })
        return (await (this.script[op] as Scripted<K> | undefined)?.(credentials, ...args)) ?? otherwise
      }
    return {
      health: {
        read: answers(
          'health.read',
          succeed({
            number: '5511900001111',
            qualityRating: 'GREEN',
            messagingLimitTier: 'TIER_2K',
            officialStatus: 'CONNECTED',
            perSecond: 80,
          }),
        ),
        readLimits: answers('health.readLimits', succeed([])),
      },
      subscription: { subscribe: answers('subscription.subscribe', succeed(null)) },
      calling: {
        enable: answers('calling.enable', succeed('ENABLED')),
        readSettings: answers('calling.readSettings', succeed({ status: 'ENABLED' })),
        writeSettings: answers('calling.writeSettings', succeed({ status: 'ENABLED' })),
      },
      permissions: {
        read: answers(
          'permissions.read',
          succeed({ permission: { status: 'temporary', expiration_time: 1 }, actions: [] }),
        ),
        request: answers('permissions.request', succeed({ messageId: 'wamid.1' })),
      },
      media: {
        read: answers('media.read', succeed({ bytes: Buffer.from('image'), mimeType: 'image/jpeg', fileName: null })),
      },
      templates: {
        create: answers('templates.create', {
          kind: 'done',
          value: { externalId: '12345678901234567890', status: 'PENDING', category: null },
        }),
        edit: answers('templates.edit', { kind: 'done', value: null }),
        remove: answers('templates.remove', { kind: 'done', value: null }),
        find: answers('templates.find', succeed(null)),
        read: answers('templates.read', succeed(null)),
        page: answers('templates.page', succeed({ templates: [], next: null, isWhole: true })),
        uploadSample: answers('templates.uploadSample', { kind: 'done', value: '4::handle' }),
      },
      flows: {
        create: answers('flows.create', { kind: 'done', value: { externalId: '12345678901234567890' } }),
        update: answers('flows.update', { kind: 'done', value: null }),
        upload: answers('flows.upload', { kind: 'done', value: { validationErrors: [] } }),
        publish: answers('flows.publish', { kind: 'done', value: null }),
        deprecate: answers('flows.deprecate', { kind: 'done', value: null }),
        remove: answers('flows.remove', { kind: 'done', value: null }),
        read: answers('flows.read', succeed(null)),
        page: answers('flows.page', succeed({ flows: [], next: null, isWhole: true })),
        document: answers('flows.document', succeed(null)),
      },
      encryption: {
        setPublicKey: answers('encryption.setPublicKey', { kind: 'done', value: null }),
        publicKey: answers('encryption.publicKey', succeed(null)),
      },
    }
  }
}

/** Changes of accounts that nobody listens to. */
export const UNHEARD = {
  accountChanges: { take: async () => null, failed: async () => 0, settle: async () => {} },
  readEvents: readAccountEvents,
  templateTold: async () => {},
  flowTold: async () => {},
  marketingSigned: async () => {},
  wakeTries: () => {},
}

/** Everything behind the HTTP routes of OFFICIAL numbers, in memory. */
export class OfficialWorld {
  readonly store: MemoryOfficial
  readonly inbound: MemoryInbound
  readonly upstream = new ScriptedPlatform()
  /** Requests to the background work. */
  readonly noted: string[] = []

  constructor(rows: MemoryRows, numbers: MemoryNumbers, clock: Clock) {
    this.store = new MemoryOfficial(rows, numbers, clock)
    this.inbound = new MemoryInbound(rows, clock)
  }

  ports() {
    return {
      official: this.store,
      inbound: this.inbound,
      officialOf: this.upstream.officialOf,
      reach: { counted: async () => ({ used: 0, resetsAt: null }) },
      marksStored: async () => void this.noted.push('marks stored'),
      receiveAccount: (accountId: string) => void this.noted.push(`hasten ${accountId}`),
    }
  }
}

/** Signs as the upstream does, with code of its own. */
export function signed(secret: string, body: string | Buffer): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}
