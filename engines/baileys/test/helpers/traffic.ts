import type { ExecutionContext } from 'ava'
import type { Network } from '../network/network.ts'
import type { PersistentGateway } from './persistent-gateway.ts'

/** People who write to the numbers of a test, and are written to. */
export const SENDERS = ['5511888880001', '5511888880002', '5511888880003', '5511888880005', '5511888880006']

/** The texts that were written, by sender and number. */
type Chats = ReadonlyMap<string, readonly string[]>

/** Each sender writes to each number in turn, one text after the other. `written` hears of each. */
export async function writeAll(
  network: Network,
  numbers: readonly string[],
  count: number,
  written: (so: number) => void,
): Promise<Chats> {
  const byChat = new Map<string, string[]>()
  for (let index = 0; index < count; index++) {
    const [number = '', sender = ''] = [
      numbers[index % numbers.length],
      SENDERS[Math.floor(index / numbers.length) % SENDERS.length],
    ]
    await network.phone(sender).text(number, `${index}`)
    byChat.set(`${sender} ${number}`, [...(byChat.get(`${sender} ${number}`) ?? []), `${index}`])
    written(index)
  }
  return byChat
}

function inChat(gateway: PersistentGateway, sender: string): readonly string[] {
  return gateway.texts.filter(({ from }) => from === sender).map(({ text }) => text)
}

/** Each text was told by one event, in the order of its chat. `numbers` are those of the gateways. */
export function assertToldOnce(
  t: ExecutionContext,
  gateways: readonly PersistentGateway[],
  numbers: readonly string[],
  byChat: Chats,
): void {
  for (const [index, gateway] of gateways.entries()) {
    for (const [id, seqs] of gateway.told) t.is(seqs.size, 1, `${id} has one event`)
    for (const sender of SENDERS) t.deepEqual(inChat(gateway, sender), byChat.get(`${sender} ${numbers[index]}`) ?? [])
  }
}

/** The person to whom the text with this number is sent. */
export function receiverOf(index: number): string {
  return SENDERS[index % SENDERS.length] ?? ''
}

/** Each text `out <number>` is at its receiver's phone once, under the id that its send was answered with. */
export async function assertReceivedOnce(
  t: ExecutionContext,
  network: Network,
  ids: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [text, id] of ids) {
    const phone = network.phone(receiverOf(Number(text.slice(4))))
    await phone.find((message) => message.text === text)
    t.deepEqual(
      phone.received.filter((message) => message.text === text).map((message) => message.id),
      [id],
    )
  }
}
