import type { ExecutionContext } from 'ava'
import type { Network } from '../network/network.ts'
import { connectBridge, type BridgeClient } from './bridge-client.ts'

export interface LinkedNumber {
  readonly numberId: string
  readonly number: string
  readonly credentials: unknown
  readonly client: BridgeClient
}

/** Links a number by its phone's scan and waits until it is open. The client acknowledges nothing by itself. */
export async function linkNumber(
  t: Pick<ExecutionContext, 'teardown'>,
  network: Network,
  port: number,
  numberId: string,
  number: string,
): Promise<LinkedNumber> {
  const client = await connectBridge(t, port, numberId)
  await client.start({ number, credentials: null })
  const { qr } = await client.find(({ ev }) => ev === 'session.qr')
  await network.phone(number).scan(qr)
  const { credentials } = await client.find(({ ev }) => ev === 'session.credentials')
  await client.state('OPEN')
  return { numberId, number, credentials, client }
}
