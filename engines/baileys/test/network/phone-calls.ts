/** Calls of a phone: they ring at linked devices until they are rejected there or ended here. */
import { randomBytes } from 'node:crypto'
import type { BinaryNode } from 'baileys'
import { fromAttributes } from './addressing.ts'
import type { Account } from './directory.ts'
import { jidOf, senderIn } from './phone-outbox.ts'
import type { PhoneCall, PhoneState } from './phone-state.ts'
import { child, seconds, stanza } from './stanza.ts'

function tell(state: PhoneState, to: string, content: BinaryNode): void {
  const account: Account | undefined = state.world.directory.find(to)
  const origin = fromAttributes(senderIn(state, to))
  for (const device of account?.devices.values() ?? []) {
    const attributes = {
      ...origin,
      id: randomBytes(8).toString('hex').toUpperCase(),
      t: seconds(),
      notify: state.account.name,
    }
    device.mailbox.post(stanza('call', attributes, [content]))
  }
}

function callAttributes(state: PhoneState, call: PhoneCall): Record<string, string> {
  const hidden = state.hidden
  const attributes: Record<string, string> = {
    'call-id': call.id,
    'call-creator': hidden ? state.account.lid : state.account.pn,
  }
  if (hidden && state.account.numberKnown) attributes['caller_pn'] = state.account.pn
  return attributes
}

/** Rings at all linked devices of a number. */
export function ring(state: PhoneState, to: string, video: boolean): PhoneCall {
  const call: PhoneCall = {
    id: randomBytes(16).toString('hex').toUpperCase(),
    to: jidOf(to),
    state: 'ringing',
    reason: undefined,
  }
  state.calls.set(call.id, call)
  const media = [stanza('audio', { enc: 'opus', rate: '16000' }), ...(video ? [stanza('video', { enc: 'vp8' })] : [])]
  tell(state, call.to, stanza('offer', callAttributes(state, call), media))
  return call
}

/** Ends a ringing call: `timeout` when nobody answered, any other reason when the caller hung up. */
export function endCall(state: PhoneState, id: string, reason: string): void {
  const call = state.calls.get(id)
  if (!call) throw new Error('this phone placed no such call')
  if (call.state === 'ringing') Object.assign(call, { state: 'ended', reason })
  tell(state, call.to, stanza('terminate', { ...callAttributes(state, call), reason }))
  state.notice()
}

/** Handles a device's stanza about a call of this phone. */
export function onCallStanza(state: PhoneState, node: BinaryNode): void {
  const call = state.calls.get(child(node, 'reject')?.attrs['call-id'] ?? '')
  if (call?.state !== 'ringing') return
  call.state = 'rejected'
  state.notice()
}
