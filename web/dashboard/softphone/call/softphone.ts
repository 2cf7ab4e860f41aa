import { signal } from '@preact/signals'
import type { CallAudio } from '../audio/call-audio.ts'
import { LevelMeter } from '../audio/level.ts'
import type { MicrophoneFault, MicrophoneWish } from '../audio/microphone.ts'
import { Recording } from '../audio/recording.ts'
import type { PlaybackReport } from '../audio/worklets.ts'
import { CallSocket, type SocketMessage } from './call-socket.ts'
import type { PhoneCalls } from './calls.ts'
import { decide } from './decide.ts'
import type { PhoneCall, PhoneEffect, PhoneEvent, PhoneState } from './state.ts'

/** What the page gives to the softphone. */
export interface SoftphoneNeeds {
  readonly calls: PhoneCalls
  /** Loads what plays and records, on the first call. */
  readonly openAudio: (listener: Parameters<typeof CallAudio.open>[0]) => Promise<CallAudio>
}

/** The softphone of a page: carries out what `decide` wants, and holds what the view shows. */
export class Softphone {
  readonly state = signal<PhoneState>({ at: 'idle' })
  /** Why there is no microphone; null when there is one, or none was asked for. */
  readonly microphoneFault = signal<MicrophoneFault | null>(null)
  readonly wish = signal<MicrophoneWish>({ hasVoiceProcessing: true, deviceId: null })
  readonly isMuted = signal(false)
  readonly isRecording = signal(false)
  /** Length of the running recording, in whole seconds. */
  readonly recordedSeconds = signal(0)
  /** Address of the last recording in the page; null before. */
  readonly recordingUrl = signal<string | null>(null)
  /** The last `stats` of the service, and how playing fares here. */
  readonly stats = signal<Readonly<Record<string, unknown>>>({})
  readonly playback = signal<PlaybackReport | null>(null)
  /** Read by the view, 15 times a second. */
  readonly meters = { mic: new LevelMeter(), peer: new LevelMeter() }
  readonly #needs: SoftphoneNeeds
  #audio: Promise<CallAudio> | null = null
  #socket: CallSocket | null = null
  /** Origin of the last socket. */
  #host: string | null = null
  #recording: Recording | null = null

  constructor(needs: SoftphoneNeeds) {
    this.#needs = needs
    // The policy of the page names the media hosts that were known when it was loaded ([pages.headers.1]).
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
      const isOfCall = this.#host !== null && blockedURI.startsWith(this.#host)
      if (effectiveDirective === 'connect-src' && isOfCall) this.take({ type: 'barred' })
    })
  }

  /** Places a call. Must run in the handler of what the person did, or browsers play nothing. */
  dial(numberId: string, to: string): void {
    this.#warm()
    this.take({ type: 'dial', numberId, to })
  }

  /** Takes a call over from its bot. */
  takeOver(call: PhoneCall, status: string): void {
    this.#warm()
    this.take({ type: 'takeOver', call, status })
  }

  accept(): void {
    this.#warm()
    this.take({ type: 'accept' })
  }

  /** Takes the call back from the page that took it over. */
  takeBack(): void {
    this.#warm()
    this.take({ type: 'takeBack' })
  }

  mute(isMuted: boolean): void {
    this.isMuted.value = isMuted
    void this.#audio?.then((audio) => audio.mute(isMuted))
  }

  /** Chooses microphone and voice processing, in a running call at once. */
  choose(wish: MicrophoneWish): void {
    this.wish.value = wish
    void this.#listen()
  }

  dtmf(digit: string): void {
    this.#socket?.dtmf(digit)
  }

  record(): void {
    if (this.state.value.at !== 'live') return
    this.#recording = new Recording()
    this.recordedSeconds.value = 0
    this.isRecording.value = true
  }

  stopRecording(): void {
    const recording = this.#recording
    this.#recording = null
    this.isRecording.value = false
    if (!recording) return
    if (this.recordingUrl.value !== null) URL.revokeObjectURL(this.recordingUrl.value)
    this.recordingUrl.value = URL.createObjectURL(recording.wav())
  }

  /** Ends the call because the page goes away, or gives it back to its bot. */
  leave(): void {
    const { value } = this.state
    const { calls } = this.#needs
    if (value.at === 'live' && value.link.at !== 'none' && value.link.at !== 'taken')
      void (value.hasBot ? calls.giveBack(value.call) : calls.terminate(value.call))
  }

  /** Takes an event and does what follows from it. */
  take(event: PhoneEvent): void {
    const { state, effects } = decide(this.state.value, event)
    this.state.value = state
    for (const effect of effects) void this.#do(effect)
  }

  async #do(effect: PhoneEffect): Promise<void> {
    switch (effect.do) {
      case 'place':
        return await this.#place(effect.numberId, effect.to)
      case 'openSession':
        return await this.#openSession(effect.call, this.#needs.calls.session)
      case 'takeOver':
        return await this.#openSession(effect.call, this.#needs.calls.takeOver)
      case 'giveBack': {
        const { fault } = await this.#needs.calls.giveBack(effect.call)
        return this.take({ type: 'givenBack', isRefused: fault !== undefined })
      }
      case 'accept':
        return await this.#accept(effect.call)
      case 'reject':
        return void (await this.#needs.calls.reject(effect.call))
      case 'terminate':
        return void (await this.#needs.calls.terminate(effect.call))
      case 'retryIn':
        return void setTimeout(() => this.take({ type: 'retry' }), effect.ms)
      case 'release':
        return await this.#release()
    }
  }

  async #place(numberId: string, to: string): Promise<void> {
    const { body, fault } = await this.#needs.calls.place(numberId, to)
    if (fault) return this.take({ type: 'refused', fault })
    const call: PhoneCall = { id: body.id, numberId, direction: 'OUTBOUND', peer: to }
    this.take({ type: 'placed', call, status: body.status })
  }

  async #accept(call: PhoneCall): Promise<void> {
    const { fault } = await this.#needs.calls.accept(call)
    this.take(fault ? { type: 'refused', fault } : { type: 'accepted' })
  }

  async #openSession(call: PhoneCall, ask: PhoneCalls['session']): Promise<void> {
    const { body, fault } = await ask(call)
    if (fault) {
      // A call that is over, or whose number is gone, gets no session however often it is asked for.
      const isOver = fault.kind === 'GONE' || fault.kind === 'REFUSED'
      return this.take({ type: 'sessionRefused', isOver, atMs: performance.now() })
    }
    const { value } = this.state
    if (value.at !== 'live' || value.call.id !== call.id) return
    this.#connect(call, body.wsUrl)
  }

  #connect(call: PhoneCall, wsUrl: string): void {
    this.#host = new URL(wsUrl).origin
    const socket = new CallSocket(wsUrl, {
      opened: () => this.take({ type: 'socketOpened' }),
      heard: (frame) => this.#heard(frame),
      told: (message) => this.#told(call, message),
      closed: (code) => {
        // A socket that was replaced or given up here says nothing about the call.
        if (this.#socket === socket) this.take({ type: 'socketClosed', code, atMs: performance.now() })
      },
    })
    this.#socket = socket
  }

  #told(call: PhoneCall, message: SocketMessage): void {
    if (message.type === 'stats') this.stats.value = message
    if (message.type !== 'start' && message.type !== 'call') return
    const { status, reason } = message
    this.take({ type: 'told', call, status: String(status), error: typeof reason === 'string' ? reason : null })
  }

  #heard(frame: Int16Array<ArrayBuffer>): void {
    this.meters.peer.add(frame)
    if (this.#recording) this.#record(this.#recording, frame)
    void this.#audio?.then((audio) => audio.play(frame))
  }

  #record(recording: Recording, frame: Int16Array): void {
    recording.heard(frame)
    this.recordedSeconds.value = Math.floor(recording.ms / 1_000)
  }

  #said(frame: Int16Array<ArrayBuffer>): void {
    this.meters.mic.add(frame)
    this.#recording?.said(frame)
    this.#socket?.speak(frame)
  }

  /** Opens loudspeaker and microphone when they are not open. */
  #warm(): void {
    this.#audio ??= this.#needs.openAudio({
      said: (frame) => this.#said(frame),
      reported: (report) => {
        this.playback.value = report
      },
    })
    void this.#listen()
  }

  async #listen(): Promise<void> {
    const audio = await this.#audio
    if (!audio) return
    this.microphoneFault.value = await audio.listenTo(this.wish.value)
    audio.mute(this.isMuted.value)
  }

  async #release(): Promise<void> {
    this.stopRecording()
    const audio = this.#audio
    const socket = this.#socket
    this.#audio = null
    this.#socket = null
    this.playback.value = null
    socket?.close()
    await (await audio)?.close()
  }
}
