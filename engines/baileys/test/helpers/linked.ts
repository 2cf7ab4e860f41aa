import type { ExecutionContext } from 'ava'
import type { Network } from '../network/network.ts'
import type { Phone } from '../network/phone.ts'
import { connectBridge, type BridgeClient, type ClientEvent } from './bridge-client.ts'

/** A number that is linked through an engine, with its gateway's end and its phone. */
export interface Linked {
  readonly client: BridgeClient
  readonly phone: Phone
  readonly number: string
  /** Resolves to the first event of that name about that message, now or later. */
  told(ev: string, externalMessageId: string, fits?: (event: ClientEvent) => boolean): Promise<ClientEvent>
}

/** Links a number by QR; acknowledges all events from then on. */
export async function link(
  t: Pick<ExecutionContext, 'teardown'>,
  network: Network,
  port: number,
  number: string,
  fields: object = {},
): Promise<Linked> {
  const phone = network.phone(number)
  const client = await connectBridge(t, port, `number-${number}`)
  await client.start({ number, credentials: null, ...fields })
  const { qr } = await client.find((event) => event.ev === 'session.qr')
  client.ackAll()
  await phone.scan(String(qr))
  await client.state('OPEN')
  return {
    client,
    phone,
    number,
    told: (ev, id, fits = () => true) =>
      client.find((event) => event.ev === ev && event['externalMessageId'] === id && fits(event)),
  }
}

/** A scope for what several tests of a file share; `end` closes it after all of them. */
export function sharedScope(): { readonly scope: ExecutionContext; readonly end: () => Promise<void> } {
  const ends: (() => unknown)[] = []
  const scope = { teardown: (end: () => unknown) => void ends.unshift(end) } as unknown as ExecutionContext
  return {
    scope,
    async end() {
      for (const one of ends) await one()
    },
  }
}
