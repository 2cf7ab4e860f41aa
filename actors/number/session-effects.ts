import { newId } from '../../src/domain/ids.ts'
import { persist } from '../persist.ts'
import { createSettleLine } from './settle-line.ts'
import type { NumberEffect } from './state.ts'
import { isStateless } from './state.ts'
import type { NumberPorts, NumberWorld } from './world.ts'

/** Opens a session once it is known what it is wanted for; one that is closed or replaced meanwhile is not opened. */
export function openSession(world: NumberWorld, effect: NumberEffect & { type: 'openSession' }): void {
  closeSession(world)
  const { sessionId, number } = effect
  // Where upstream tells by webhook nothing has to be known first.
  if (isStateless(number)) return open(world, effect, false)
  const done = wantsStories(world.ports).then((isWanted) => {
    if (world.opening?.sessionId !== sessionId) return
    const { settings } = world.opening
    world.opening = null
    open(world, { ...effect, number: { ...number, settings } }, isWanted)
  })
  world.opening = { sessionId, settings: number.settings, done }
}

/** Whether some webhook wants the status posts of contacts; taken for no when that cannot be read. */
async function wantsStories(ports: NumberPorts): Promise<boolean> {
  const read = await persist(ports, 'read wanted events', () => ports.wantsStories(ports.fence.numberId))
  return read?.value ?? false
}

function open(world: NumberWorld, { sessionId, number, credentials }: NumberEffect & { type: 'openSession' }, isWanted: boolean): void {
  const driver = world.ports.registry.driver(number.provider)
  if (!driver) return
  const line = createSettleLine()
  const session = driver.openSession({
    numberId: number.id, number: number.number, credentials, settings: number.settings,
    historyImport: number.settings.historyImportEnabled, wantsStories: isWanted, ackedSeq: world.ackedSeq,
  }, (event) => {
    if ('seq' in event) line.saw(event.seq)
    // What was in doubt when the link broke is asked for again soon; until then its statuses, which come first, name nothing known.
    if (event.type === 'linkUp') world.sends.lastMs = world.ports.clock.monotonicMs()
    if (event.type === 'state' && event.state === 'CLOSE') {
      world.ports.log.warn({ numberId: number.id, reason: event.reason }, 'device session closed')
    }
    world.self.tell({ type: 'Session', sessionId, event, callId: event.type === 'incomingCall' ? newId('call') : null })
  })
  world.open = { sessionId, session, line }
}

/** Closes the session, or gives up the one about to be opened. */
export function closeSession(world: NumberWorld): void {
  world.opening = null
  world.open?.session.close()
  world.open = null
}

type SessionEffect = NumberEffect & { readonly type: 'applySettings' | 'logout' | 'terminateOrphan' }

/** Asks the session; one about to be opened is waited for. */
export function askSession(world: NumberWorld, effect: SessionEffect): void {
  const { open, opening, self, ports } = world
  if (!open && opening) {
    if (effect.type === 'applySettings') opening.settings = effect.settings
    return void opening.done.then(() => askSession(world, effect))
  }
  if (!open) {
    // Closed since the decision: there is nothing to wait for.
    if (effect.type === 'logout') self.tell({ type: 'LoggedOut', attempt: effect.attempt })
    if (effect.type === 'applySettings') self.reply(effect.askId, { ok: true, value: null })
    return
  }
  const { numberId } = ports.fence
  const report = (operation: string, code: string) => ports.log.warn({ numberId, operation, code }, 'provider refused')
  switch (effect.type) {
    case 'applySettings':
      void wantsStories(ports).then((isWanted) => open.session.applySettings(effect.settings, isWanted))
        .then((outcome) => self.tell({ type: 'SettingsApplied', askId: effect.askId, outcome }))
      return
    case 'logout':
      void open.session.logout().then((outcome) => {
        if (!outcome.ok) report('logout', outcome.error.code)
        self.tell({ type: 'LoggedOut', attempt: effect.attempt })
      })
      return
    case 'terminateOrphan':
      void open.session.terminateCall(effect.externalCallId).then((outcome) => {
        if (!outcome.ok) report('terminate', outcome.error.code)
      })
  }
}
