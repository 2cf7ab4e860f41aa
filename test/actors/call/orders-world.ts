import { decide } from '../../../actors/call/decide.ts'
import { hasOwnLeg, isCarried } from '../../../actors/call/leg.ts'
import type { CallMessage, PlacedCall } from '../../../actors/call/messages.ts'
import { factsOfRow } from '../../../actors/call/resume.ts'
import type { CallEffect, CallFacts, Reply } from '../../../actors/call/state.ts'
import { initialState } from '../../../actors/call/state.ts'
import type { CallCarrier, CallDirection } from '../../../src/domain/call.ts'
import type { CallEndReason } from '../../../src/domain/device-bridge.ts'
import { kindOf } from '../../../src/domain/kinds/kinds.ts'
import type { ProviderKind } from '../../../src/domain/number.ts'
import { factsOf, NOW } from './decide-rig.ts'
import { type Answer, type Answerable, answerTo, isAnswerable, isWrite } from './orders-answers.ts'
import { assertDecided, Owner } from './orders-owner.ts'
import { StoredCall } from './stored-call.ts'

const TIMES = { unringingMs: 30_000, ringMs: 60_000, mediaMs: 20_000, upstreamMs: 180_000, silenceMs: 86_400_000 }

/** What is set before a call begins. */
export interface Setting {
  readonly kind: ProviderKind
  readonly direction: CallDirection
  /** True when the media hosts outlive nodes. */
  readonly outlives: boolean
  /** Who is to carry an outbound call of an OFFICIAL number. */
  readonly media: CallCarrier | null
  /** The number declines its calls. */
  readonly isDeclined: boolean
}

/** An event of upstream, which comes again until it is settled. */
export type Told = CallMessage & { readonly seq: number }

interface Asked {
  readonly type: string
  readonly owner: Owner
  answers: number
}

/** The row, upstream and the media host of one call, beside whoever holds it. */
export class World {
  readonly setting: Setting
  readonly store = new StoredCall()
  nowMs = NOW
  owner: Owner
  /** Earlier owners. They may go on for a while, because they do not know it yet. */
  readonly former: Owner[] = []
  readonly told = new Map<number, Told>()
  readonly asks = new Map<number, Asked>()
  readonly upstream = { isLive: false, isAnswered: false }
  readonly host: { has: 'nothing' | 'sockets' | 'leg'; by: Owner | null } = { has: 'nothing', by: null }
  /** Once true, events may have to be told again. */
  hadMishap = false
  /** True once a host did not hand the call over, so that nobody knows what was accepted there. */
  #isHostLost = false
  #texts = 0
  #seq = 0

  constructor(setting: Setting, sdp: string) {
    this.setting = setting
    this.owner = this.#spawn(this.#facts)
    if (setting.direction === 'OUTBOUND') {
      const own = setting.media === 'own' ? sdp : null
      this.ask((askId) => ({ type: 'StartOutbound', askId, sdp: own, media: setting.media }))
      return
    }
    this.upstream.isLive = true
    const rejection = setting.isDeclined ? { text: 'We take no calls' } : null
    this.tell((seq) => ({ type: 'StartInbound', seq, externalCallId: 'ext', sdp, rejection }))
    this.hear(0)
  }

  get #facts(): CallFacts {
    return { ...factsOf(this.setting.direction), provider: this.setting.kind }
  }

  get owners(): readonly Owner[] {
    return [...this.former, this.owner]
  }

  #spawn(facts: CallFacts): Owner {
    const times = kindOf(facts).can.callAudio ? TIMES : { ...TIMES, ringMs: TIMES.upstreamMs }
    return new Owner(initialState(facts, times, this.setting.outlives), this.store.token)
  }

  #succeed(owner: Owner): Owner {
    this.former.push(this.owner)
    this.owner = owner
    return owner
  }

  /** Another owner has the call: nothing of this one reaches row, upstream or host any more. */
  isStale({ token }: Owner): boolean {
    return token !== this.store.token
  }

  /** Asks the present owner for something. */
  ask(make: (askId: number) => CallMessage): void {
    const askId = this.asks.size + 1
    const message = make(askId)
    this.asks.set(askId, { type: message.type, owner: this.owner, answers: 0 })
    this.say(this.owner, message)
  }

  /** Upstream has something to tell. */
  tell(make: (seq: number) => Told): void {
    const event = make(++this.#seq)
    this.told.set(event.seq, event)
  }

  /** The events that the present owner was not told yet. */
  get unheard(): readonly Told[] {
    return [...this.told.values()].filter(({ seq }) => !this.owner.heard.has(seq))
  }

  /** Tells an event to the call. The number settles it where no call is live, and begins with an offer anew. */
  hear(index: number): void {
    const event = this.unheard[index]
    if (!event) return
    if (!this.owner.isRunning) {
      if (this.store.isLive) return
      if (event.type !== 'StartInbound' || this.store.was.length > 0) return void this.told.delete(event.seq)
      this.#succeed(this.#spawn(this.#facts))
    }
    const { owner } = this
    owner.heard.add(event.seq)
    const isKnown = event.type === 'StartInbound' && owner.state.phase.at !== 'NEW'
    this.say(owner, isKnown ? { type: 'ProviderRepeated', seq: event.seq, sdp: event.sdp } : event)
  }

  /** An owner hears something, decides on it and does what follows. */
  say(owner: Owner, message: CallMessage): void {
    if (owner.isDead) return
    if (owner.stopped) return this.#undelivered(owner, message)
    if (message.type === 'Crashed') owner.crashes++
    if (message.type === 'Leave') owner.isLeaving = true
    const made = decide(owner.state, message, this.nowMs)
    assertDecided(owner.state, message, made)
    owner.state = made.state
    for (const reply of made.replies) this.#answered(owner, reply)
    for (const effect of made.effects) this.#run(owner, effect)
    for (const effect of made.effects) if (effect.type === 'settle') this.#settle(owner, effect.seq)
    if (owner.stopped) this.#assertStopped(owner)
  }

  /** What an actor that stopped does with what still comes. */
  #undelivered(owner: Owner, message: CallMessage): void {
    const { phase } = owner.state
    if (message.type === 'Offered' && message.outcome.ok) this.#hangUp()
    else if ('seq' in message && !(phase.at === 'GONE' && !phase.isOurs)) this.#settle(owner, message.seq)
  }

  #answered(owner: Owner, { askId, outcome }: Reply): void {
    const asked = this.asks.get(askId)
    if (!asked || asked.owner !== owner) throw new Error(`nobody asked ${askId} of this owner`)
    if (++asked.answers > 1) throw new Error(`${asked.type} is answered twice`)
    if (outcome.ok && outcome.value !== null)
      this.#assertStored(askId, asked.type, outcome.value as Partial<PlacedCall>)
  }

  /** Whoever asked finds what is answered in the row. */
  #assertStored(askId: number, type: string, { status, externalCallId }: Partial<PlacedCall>): void {
    const { row, was } = this.store
    if (status && !was.includes(status)) throw new Error(`${status} is answered and not stored`)
    const isEnding = type === 'Reject' || type === 'Terminate'
    if (isEnding && status !== row?.status) throw new Error(`${status} is answered, and the row is ${row?.status}`)
    if (type === 'Accept' && status !== 'ACCEPTED') throw new Error(`an accept is answered ${status}`)
    if (externalCallId && externalCallId !== row?.externalCallId) throw new Error('an id is answered and not stored')
    if (type === 'Play' && !row?.playback.some(({ id }) => id === `play_${askId}`))
      throw new Error('a file is answered and not stored')
  }

  #run(owner: Owner, effect: CallEffect): void {
    if (isAnswerable(effect)) owner.underWay.push(effect)
    if (effect.type === 'mediaConnect') owner.connects++
    if (effect.type === 'startTimer') owner.timers.set(effect.timer, this.nowMs + effect.delayMs)
    if (effect.type === 'cancelTimers') owner.timers.clear()
    if (effect.type === 'stop') owner.stopped = { isStored: effect.isStored }
    if (this.isStale(owner)) return
    if (effect.type === 'setAside') this.told.delete(effect.seq)
    if (effect.type === 'reject' || effect.type === 'terminate') this.#hangUp()
    // Upstream may have taken an accept that is under way, and then only a hang-up ends the call.
    if (effect.type === 'reject' && owner.underWay.some(({ type }) => type === 'accept'))
      throw new Error('a call is declined that is being accepted')
    const isDone = this.setting.kind === 'UNOFFICIAL' && this.upstream.isAnswered && !this.#isHostLost
    if (effect.type === 'accept' && isDone) throw new Error('a call is accepted again that upstream has')
    if (effect.type === 'sendRejection' && ++this.#texts > 1) throw new Error('two texts are sent for one call')
    if (effect.type.startsWith('media')) this.#atHost(owner, effect)
  }

  #atHost(owner: Owner, effect: CallEffect): void {
    const { host, store, setting } = this
    if (!hasOwnLeg(owner.state) && !owner.state.isAtHost) throw new Error(`${effect.type} is for no leg of ours`)
    if (effect.type === 'mediaOffer' || effect.type === 'mediaAnswer') Object.assign(host, { has: 'leg', by: owner })
    if (effect.type === 'mediaAnnounce' && host.has === 'nothing') Object.assign(host, { has: 'sockets', by: owner })
    if (effect.type === 'mediaClose' || (effect.type === 'mediaLeave' && !setting.outlives)) host.has = 'nothing'
    if (effect.type === 'mediaLeave') host.by = null
    const status = effect.type === 'mediaStatus' || effect.type === 'mediaClose' ? effect.status : null
    // A host hears of what is given up.
    const isOver = effect.type === 'mediaClose' && (store.row === null || effect.reason === 'INTERNAL_ERROR')
    if (status !== null && !store.was.includes(status) && !isOver)
      throw new Error(`the host hears of ${status}, which is not stored`)
  }

  #assertStopped(owner: Owner): void {
    if (owner.stopped?.isStored === false) this.hadMishap = true
    const { phase } = owner.state
    const isLeft = this.isStale(owner) || (phase.at === 'GONE' && !phase.isOurs)
    if (owner.stopped?.isStored && this.store.isLive && !isLeft) throw new Error('nobody will close the row')
    if (owner.timers.size > 0) throw new Error('a timer outlives its call')
    if (owner.state.write !== null || owner.state.stash.length > 0) throw new Error('a call stops over what waits')
    // The runtime tells whoever asked something of others that its outcome is unknown.
    const asked = new Set(owner.underWay.flatMap((effect) => ('askId' in effect ? [effect.askId] : [])))
    for (const [askId, { type, answers, owner: of }] of this.asks)
      if (of === owner && answers === 0 && !asked.has(askId)) throw new Error(`${type} is never answered`)
  }

  #settle(owner: Owner, seq: number): void {
    const event = this.told.get(seq)
    if (!event || this.isStale(owner)) return
    const { store } = this
    const isClosing = owner.stopped?.isStored === false || owner.state.write?.next.at === 'ENDED'
    const isSafe = !store.isLive || (isClosing && hasOwnLeg(owner.state))
    if (event.type === 'ProviderEnded' && !isSafe) throw new Error('the end of a call is settled and not stored')
    if (event.type === 'ProviderAnswered' && !isSafe && !store.was.includes('ACCEPTED'))
      throw new Error('the answer of a call is settled and not stored')
    this.told.delete(seq)
  }

  /** The platform tells of the end of a call also when it was asked to end it. */
  #hangUp(): void {
    if (this.setting.kind === 'OFFICIAL') this.end('hangup')
    this.upstream.isLive = false
  }

  /** Upstream ends the call, if it has it. */
  end(reason: CallEndReason): void {
    const { upstream, setting, nowMs } = this
    if (!upstream.isLive) return
    upstream.isLive = false
    const { isAnswered } = upstream
    const startedAt = isAnswered ? new Date(nowMs - 7_000) : null
    const facts = { direction: setting.direction, startedAt, endedAt: new Date(nowMs), bizOpaqueCallbackData: null }
    const told = { ...facts, isAnswered, durationSeconds: isAnswered ? 7 : null, failure: null }
    const isTimed = setting.kind === 'OFFICIAL'
    this.tell((seq) => ({ type: 'ProviderEnded', seq, reason, ...(isTimed ? { end: told } : {}) }))
  }

  /** Something that is under way comes to its end. */
  answer(owner: Owner, index: number, how: Answer): void {
    const [effect] = owner.underWay.splice(index % owner.underWay.length, 1)
    if (effect) this.say(owner, this.#outcomeOf(owner, effect, how))
  }

  #outcomeOf(owner: Owner, effect: Answerable, how: Answer): CallMessage {
    if (isWrite(effect)) {
      const outcome = this.store.write(effect, owner.token, how.luck, this.nowMs)
      if (outcome.kind !== 'applied') this.hadMishap = true
      return { type: 'Stored', attempt: effect.attempt, outcome }
    }
    const { host, upstream } = this
    const isStale = this.isStale(owner)
    const luck = isStale || (!upstream.isLive && effect.type === 'accept') ? 'refused' : how.luck
    const isTaken = luck === 'done' || luck === 'lost'
    if (effect.type === 'offer' && luck === 'done') upstream.isLive = true
    if (effect.type === 'accept' && isTaken) upstream.isAnswered = true
    const message = answerTo(effect, { luck, pick: how.pick }, { isStale, has: host.has })
    if (effect.type === 'mediaAdopt') this.#adopted(owner, message)
    return message
  }

  #adopted(owner: Owner, message: CallMessage): void {
    if (message.type !== 'Adopted') return
    if (message.outcome.ok) this.host.by = owner
    else this.#isHostLost = true
  }

  /** The number asks upstream for the calls that it holds, once it told all that it had to tell. */
  list(): void {
    const { owner, upstream } = this
    while (owner.isRunning && this.unheard.length > 0) this.hear(0)
    if (upstream.isLive) this.say(owner, { type: 'UpstreamKnows', isConnected: upstream.isAnswered })
    else this.say(owner, { type: 'Abandon', reason: 'PROVIDER_FAILED' })
  }

  /** The process of the owner is gone. `isTaken`: upstream got what it was asked for last. */
  kill(isTaken: boolean): void {
    const { owner, upstream, setting } = this
    this.hadMishap = true
    owner.isDead = true
    if (isTaken && upstream.isLive && owner.underWay.some(({ type }) => type === 'accept')) upstream.isAnswered = true
    if (!setting.outlives) this.host.has = 'nothing'
    owner.underWay.length = 0
    owner.timers.clear()
  }

  /** Another node takes the number; the former owner may not have heard of it. */
  move(): void {
    this.hadMishap = true
    this.store.token++
    this.takeUp()
  }

  /** The number goes on with a call that nobody holds, as far as it can be followed, and closes its row otherwise. */
  takeUp(): void {
    const { store, owner, setting } = this
    const { row } = store
    if (!row || !store.isLive) return
    if (owner.isLeaving && !this.isStale(owner)) store.token++
    const isSwept = owner.stopped?.isStored === false && !this.isStale(owner)
    const isAtHost = row.mediaHost !== null || (row.direction === 'INBOUND' && row.status === 'RINGING' && row.sdpOffer)
    const livesOn = row.externalCallId !== null && (!isCarried(row) || (!isSwept && setting.outlives && isAtHost))
    if (!livesOn) {
      store.endElsewhere(this.nowMs)
      this.#hangUp()
      if (isCarried(row)) this.host.has = 'nothing'
      return
    }
    const next = this.#succeed(this.#spawn(factsOfRow(row)))
    this.say(next, { type: 'Resume', call: row })
    // As a number does, see actors/number/loading.ts.
    const isDeclined = setting.isDeclined && !kindOf(row).isStateless
    if (isDeclined && row.direction === 'INBOUND' && row.status === 'RINGING')
      this.say(next, { type: 'Reject', askId: null })
  }

  /** Time passes, and timers fire when they are due. */
  pass(byMs: number): void {
    this.nowMs += byMs
    for (const owner of this.owners)
      for (const [timer, dueMs] of owner.timers) {
        if (dueMs > this.nowMs) continue
        owner.timers.delete(timer)
        this.say(owner, { type: 'TimerFired', timer })
      }
  }
}
