import { succeed } from '../../../src/domain/errors.ts'
import type { Outcome } from '../../../src/domain/errors.ts'
import { newId } from '../../../src/domain/ids.ts'
import type { NumberId } from '../../../src/domain/ids.ts'
import type { Fence } from '../../../src/ports/leases.ts'
import type { ProviderEvent, ProviderRegistry, ProviderSession } from '../../../src/ports/provider.ts'
import type { PairingStore } from '../../../src/ports/stores/pairing-store.ts'
import type { EffectTable } from '../../engine/effect-table.ts'
import type { Persistence } from '../../engine/persist.ts'
import { persist } from '../../engine/persist.ts'
import type { Self } from '../../engine/runtime.ts'
import { isStateless } from '../state.ts'
import type { OrphanCall } from '../calls/orphans.ts'
import type { LinkMessage } from './messages.ts'
import type { Opening, OpenSession } from '../open-session.ts'
import { createSettleLine } from './settle-line.ts'
import type { LinkEffect } from './state.ts'

/** The ports of the link. */
export interface LinkPorts extends Persistence {
  readonly fence: Fence
  readonly registry: ProviderRegistry
  readonly pairings: Pick<PairingStore, 'consume'>
  /** Whether a webhook of the number wants message.stories; read when its session opens and with ApplySettings. */
  wantsStories(numberId: NumberId): Promise<boolean>
}

/** The mutable state of the link, and what it needs of the other facets. */
export interface LinkWorld {
  readonly ports: LinkPorts
  readonly self: Pick<Self<LinkMessage>, 'tell' | 'reply'>
  open: OpenSession | null
  opening: Opening | null
  /** The highest sequence stored as settled; it belongs to the rows. */
  readonly ackedSeq: number
  /** Belongs to the sends; the link writes here when it came up. */
  readonly sends: { lastMs: number }
}

/** Does the effects of the link. */
export const LINK_EFFECTS: EffectTable<LinkEffect, LinkWorld> = {
  openSession,
  closeSession,
  applySettings: askSession,
  logout: askSession,
  requestPairingCode: askSession,
  terminateOrphan: askSession,
  consumePairing: ({ ports }) =>
    void persist(ports, 'consume pairing links', () => ports.pairings.consume(ports.fence.numberId)),
}

/**
 * Opens a session, once it is known whether stories are wanted. A session that is closed or replaced meanwhile is not
 * opened.
 */
function openSession(world: LinkWorld, effect: LinkEffect & { type: 'openSession' }): void {
  closeSession(world)
  const { sessionId, number } = effect
  // A stateless session needs to know nothing first, because upstream tells by webhook.
  if (isStateless(number)) return open(world, effect, false)
  const done = wantsStories(world.ports).then((isWanted) => {
    if (world.opening?.sessionId !== sessionId) return
    const { settings } = world.opening
    world.opening = null
    open(world, { ...effect, number: { ...number, settings } }, isWanted)
  })
  world.opening = { sessionId, settings: number.settings, done }
}

/** Whether a webhook wants the status posts of contacts; false when that cannot be read. */
async function wantsStories(ports: LinkPorts): Promise<boolean> {
  const read = await persist(ports, 'read wanted events', () => ports.wantsStories(ports.fence.numberId))
  return read?.value ?? false
}

function open(
  world: LinkWorld,
  { sessionId, number, credentials }: LinkEffect & { type: 'openSession' },
  isWanted: boolean,
): void {
  const driver = world.ports.registry.driver(number.provider)
  if (!driver) return
  const line = createSettleLine()
  const told: OpenSession['told'] = new Map()
  const session = driver.openSession(
    {
      numberId: number.id,
      number: number.number,
      credentials,
      settings: number.settings,
      historyImport: number.settings.historyImportEnabled,
      wantsStories: isWanted,
      engine: number.engine ?? null,
      ackedSeq: world.ackedSeq,
    },
    (event) => {
      if ('seq' in event) {
        line.saw(event.seq)
        told.set(event.seq, event)
      }
      hear(world, sessionId, event)
    },
  )
  world.open = { sessionId, session, line, told }
}

/** Hands on an event of a session. */
function hear({ ports, self, sends }: LinkWorld, sessionId: number, event: ProviderEvent): void {
  // Messages in doubt since the link broke are asked for again soon. Their statuses come earlier, and name messages
  // whose rows have no upstream id yet.
  if (event.type === 'linkUp') sends.lastMs = ports.clock.monotonicMs()
  if (event.type === 'state' && event.state === 'CLOSE') {
    ports.log.warn({ numberId: ports.fence.numberId, reason: event.reason }, 'device session closed')
  }
  self.tell({ type: 'Session', sessionId, event, callId: event.type === 'incomingCall' ? newId('call') : null })
}

/** Closes the session, or gives up the one that is opening. */
export function closeSession(world: LinkWorld): void {
  world.opening = null
  world.open?.session.close()
  world.open = null
}

type SessionEffect = LinkEffect & {
  readonly type: 'applySettings' | 'logout' | 'terminateOrphan' | 'requestPairingCode'
}

/** Asks the session, and waits for it while it is opening. */
function askSession(world: LinkWorld, effect: SessionEffect): void {
  const { open, opening, self, ports } = world
  if (!open && opening) {
    if (effect.type === 'applySettings') opening.settings = effect.settings
    return void opening.done.then(() => askSession(world, effect))
  }
  if (!open) {
    // The session was closed since the decision, so there is nothing to wait for.
    if (effect.type === 'logout') self.tell({ type: 'LoggedOut', attempt: effect.attempt })
    if (effect.type === 'applySettings') self.reply(effect.askId, { ok: true, value: null })
    return
  }
  const { numberId } = ports.fence
  const report = (operation: string, code: string) =>
    ports.log.warn({ numberId, operation, code }, 'the provider refused an operation')
  switch (effect.type) {
    case 'applySettings':
      void wantsStories(ports)
        .then((isWanted) => open.session.applySettings(effect.settings, isWanted))
        .then((outcome) => self.tell({ type: 'SettingsApplied', askId: effect.askId, outcome }))
      return
    case 'logout':
      void open.session.logout().then((outcome) => {
        if (!outcome.ok) report('logout', outcome.error.code)
        self.tell({ type: 'LoggedOut', attempt: effect.attempt })
      })
      return
    case 'requestPairingCode':
      return void requestPairingCode(world, open, effect.sessionId)
    case 'terminateOrphan':
      void terminateOrphan(open.session, effect.orphan).then((outcome) => {
        if (!outcome.ok) report('terminate', outcome.error.code)
      })
  }
}

/** Tells in any case whether the code was asked for, because somebody waits. */
async function requestPairingCode(
  { ports, self }: LinkWorld,
  { session }: OpenSession,
  sessionId: number,
): Promise<void> {
  const outcome = await session.requestPairingCode?.()
  if (outcome && !outcome.ok)
    ports.log.warn(
      { numberId: ports.fence.numberId, operation: 'pairing code', code: outcome.error.code },
      'the provider refused an operation',
    )
  self.tell({ type: 'PairingCodeAsked', sessionId, isOk: outcome?.ok === true })
}

function terminateOrphan(session: ProviderSession, orphan: OrphanCall): Promise<Outcome<null>> {
  if ('externalCallId' in orphan) return session.terminateCall(orphan.externalCallId)
  return session.liveCalls?.terminate(orphan.callRef) ?? Promise.resolve(succeed(null))
}
