import type { SessionCloseReason } from '../../../src/domain/device-bridge.ts'
import { succeed } from '../../../src/domain/errors.ts'
import { NO_CODE, type PairingReason } from '../../../src/domain/pairing.ts'
import type { ProviderEvent } from '../../../src/ports/provider.ts'
import { askUpstream } from '../calls/confirm.ts'
import type { NumberMessage } from '../messages.ts'
import { beginSave } from '../rows/decide.ts'
import type { NumberEffect, ReadyNumber, Step } from '../state.ts'
import { isStateless, step } from '../state.ts'
import { endPatience, refuseWaiters } from './pairing.ts'
import { type Link, NO_LINK } from './state.ts'

/** Handles a report of the session on its connection. */
export function stateChanged(
  state: ReadyNumber,
  link: Link & { at: 'UP' },
  event: ProviderEvent & { type: 'state' },
): Step<ReadyNumber> {
  if (event.state === 'OPEN') return opened(state, link, event.seq)
  if (event.state === 'CONNECTING') return connecting(state, link, event)
  switch (event.reason) {
    case 'banned':
      return isStateless(state.number) ? suspended(state, event.seq) : closed(state, link, event.seq, event.reason)
    case 'logged_out':
    case 'replaced':
    case 'qr_expired':
    case 'wrong_number':
      return closed(state, link, event.seq, event.reason)
    case 'passkey_required':
      return connecting(state, link, event)
    case 'network':
    case null:
      return dropped(state, event.seq)
  }
}

/**
 * The session connects. While a code is shown that means that a phone accepted it: the code is withdrawn at once
 * ([pairing.routes.8]), and the asks that wait are answered without a code.
 */
function connecting(
  state: ReadyNumber,
  link: Link & { at: 'UP' },
  { seq, reason }: ProviderEvent & { type: 'state' },
): Step<ReadyNumber> {
  const asksPasskey = reason === 'passkey_required'
  const isAccepted = link.isAccepted || link.code !== null || asksPasskey
  const pairingReason = asksPasskey ? 'PASSKEY_REQUIRED' : null
  if (!isAccepted) return dropped(state, seq, pairingReason)
  const { effects, ...dropping } = dropped(
    { ...state, link: { ...link, code: null, isAccepted, waiters: [] } },
    seq,
    pairingReason,
  )
  return {
    ...dropping,
    effects: [...effects, ...endPatience(link.waiters)],
    replies: link.waiters.map((askId) => ({ askId, outcome: succeed(NO_CODE) })),
  }
}

/**
 * The session is connected. That is stored with number.connected, unless it was already announced, and the pairing
 * links end ([pairing.create.3]).
 */
function opened(state: ReadyNumber, link: Link & { at: 'UP' }, seq: number): Step<ReadyNumber> {
  const waiting = [
    ...state.orphans.map((orphan): NumberEffect => ({ type: 'terminateOrphan', orphan })),
    ...askUpstream(state),
  ]
  if (state.number.state === 'OPEN') return step({ ...state, orphans: [] }, [...waiting, { type: 'settle', seq }])
  const save = beginSave(state, {
    patch: { state: 'OPEN', isFullyConnected: true, pairingReason: null },
    seq,
    announce: state.isAnnounced ? null : 'number.connected',
    next: {
      isAnnounced: true,
      orphans: [],
      link: { ...link, isPairing: false, code: null, isAccepted: false, waiters: [] },
    },
    effects: [
      { type: 'cancelTimer', timer: 'disconnected' },
      ...endPatience(link.waiters),
      ...(link.isPairing ? [{ type: 'consumePairing' } as const] : []),
      ...waiting,
      { type: 'settle', seq },
    ],
    replies: refuseWaiters(link, 'ALREADY_CONNECTED'),
  })
  return save
}

/**
 * The link is down and its driver reconnects. number.disconnected waits 30 s ([numbers.events.2]). `seq` is null when
 * the socket itself dropped.
 */
export function dropped(
  state: ReadyNumber,
  seq: number | null,
  pairingReason: PairingReason | null = state.number.pairingReason,
): Step<ReadyNumber> {
  const settle: NumberEffect[] = seq === null ? [] : [{ type: 'settle', seq }]
  const wasOpen = state.number.state === 'OPEN'
  if (!wasOpen && pairingReason === state.number.pairingReason) return step(state, settle)
  // The time of an earlier drop may be over too, while messages waited for a write.
  const stash = wasOpen ? state.stash.filter((waiting) => !isOfEarlierDrop(waiting)) : state.stash
  return beginSave(
    { ...state, stash },
    { patch: { state: 'CONNECTING', isFullyConnected: false, pairingReason }, seq, effects: settle },
    wasOpen ? [{ type: 'startTimer', timer: 'disconnected', delayMs: state.times.disconnectedMs }] : [],
  )
}

function isOfEarlierDrop(message: NumberMessage): boolean {
  return message.type === 'TimerFired' && message.timer === 'disconnected'
}

/** The link was down for 30 s. The driver goes on trying. */
export function disconnectedLong(state: ReadyNumber): Step<ReadyNumber> {
  if (!state.isAnnounced || state.number.state === 'OPEN') return step(state)
  return beginSave(state, {
    patch: { state: state.number.state },
    announce: 'number.disconnected',
    next: { isAnnounced: false },
  })
}

type FinalReason = Exclude<SessionCloseReason, 'network'>

/** The reasons that people who pair the number are shown ([pairing.routes.7]). */
const PAIRING_REASON: Readonly<Record<FinalReason, PairingReason | null>> = {
  qr_expired: 'QR_EXPIRED',
  wrong_number: 'WRONG_NUMBER',
  banned: 'BANNED',
  logged_out: null,
  replaced: null,
}

/**
 * The session is over and does not reopen by itself. `logged_out` wipes the pairing, and `wrong_number` whatever there
 * is of it. After `replaced` another program holds the session ([nodes.placement.5]), and `banned` may pass, so both
 * keep the pairing for a later connect (our choice). `qr_expired` never was a connection. number.disconnected is
 * announced at once, unless the number was never connected.
 */
function closed(state: ReadyNumber, link: Link & { at: 'UP' }, seq: number, reason: FinalReason): Step<ReadyNumber> {
  // This ends a logout under way, whatever reason the engine gives.
  const isAsked = state.logouts.length > 0
  const isWiped = reason === 'logged_out' || reason === 'wrong_number' || isAsked
  return beginSave(
    state,
    {
      patch: {
        state: 'CLOSE',
        isFullyConnected: false,
        pairingReason: isAsked ? null : PAIRING_REASON[reason],
        ...(isWiped ? { credentials: null, sessionHealth: null } : {}),
      },
      seq,
      announce: state.isAnnounced ? 'number.disconnected' : null,
      next: {
        isAnnounced: false,
        link: NO_LINK,
        logouts: [],
        logoutAttempt: null,
        leaving: state.leaving && { ...state.leaving, isLinkDone: true },
        ...(isWiped ? { credentials: null } : {}),
      },
      effects: [
        { type: 'cancelTimer', timer: 'disconnected' },
        ...endPatience(link.waiters),
        { type: 'settle', seq },
        { type: 'closeSession' },
      ],
      replies: [
        ...refuseWaiters(link, 'DEVICE_NETWORK_TIMEOUT'),
        ...state.logouts.map((askId) => ({ askId, outcome: succeed(null) })),
      ],
    },
    isStateless(state.number) ? [] : [{ type: 'endCalls', how: 'PROVIDER_FAILED' }],
  )
}

/**
 * Upstream refuses the number's credentials. The session stays, and reports when that is over. Calls go on: their audio
 * is not here, and their events still come by webhook.
 */
function suspended(state: ReadyNumber, seq: number): Step<ReadyNumber> {
  const settle = { type: 'settle', seq } as const
  if (state.number.state === 'CLOSE') return step(state, [settle])
  return beginSave(state, {
    patch: { state: 'CLOSE', isFullyConnected: false },
    seq,
    announce: state.isAnnounced ? 'number.disconnected' : null,
    next: { isAnnounced: false },
    effects: [settle],
  })
}
