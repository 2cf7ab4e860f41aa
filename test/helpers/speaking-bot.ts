import { wordSource } from './audio-signal.ts'
import type { Service, PairedNumber } from './service.ts'
import { SessionClient } from './session-client.ts'
import { until } from './until.ts'

/** Of the session, and of what the bot says. */
export const BOT_RATE_HZ = 8_000
/** Answers after a second and sends a tone. */
export const TONE_PEER = '5511990000006'
/**
 * How far a bot speaks ahead of the call: a test process that gets no processor for a while is not what is measured.
 */
const AHEAD_SECONDS = 20
const SECOND_BYTES = BOT_RATE_HZ * 2
/**
 * What the bot says: a tone in words of 25 packets, one loud, the next quiet. Whoever gets all of it in order gets 25
 * packets of each, however late they come.
 */
const WORD_MS = 500
const WORD = { samples: (BOT_RATE_HZ * WORD_MS) / 1_000, amplitudes: [9_000, 2_500] } as const
/** Of those who hear: RMS of 0.19 and 0.05. */
const LOUD_RMS = 0.1
const PACKET_MS = 20

/** What a peer's phone got: packets in the order of their sequence, by the sandbox's clock. */
interface Level {
  /** Ms since the epoch. */
  readonly atMs: number
  /** Length. */
  readonly ms: number
  /** 0 to 1. */
  readonly rms: number
}

/** What a peer's phone got from one moment to another, in ms since the epoch. */
export interface Hearing {
  readonly levels: readonly Level[]
  readonly fromMs: number
  readonly toMs: number
}

/** A stretch in which a peer got nothing, in ms since the epoch. */
interface Pause {
  readonly fromMs: number
  readonly toMs: number
}

/** A bot in a call: it speaks without a pause and hears the peer, and knows what became of both. */
export class SpeakingBot {
  readonly callId: string
  readonly externalCallId: string
  readonly client: SessionClient
  readonly #next = wordSource(BOT_RATE_HZ, 300, WORD)
  #said = 0
  /** The host asks it to hold its tongue: time that a starved host lost is not played away. */
  #isHeld = false
  #heardBytes = 0

  private constructor(callId: string, externalCallId: string, client: SessionClient) {
    this.callId = callId
    this.externalCallId = externalCallId
    this.client = client
    client.socket.on('message', (message: Buffer, isBinary) => {
      if (!isBinary) return this.#told(JSON.parse(message.toString('utf8')))
      this.#heardBytes += message.byteLength
      this.#speak()
    })
    this.#speak()
  }

  /** Places a call to a peer that answers and sends a tone, and joins it. */
  static async join(service: Service, number: PairedNumber): Promise<SpeakingBot> {
    return await SpeakingBot.joinPlaced(service, number, await service.placeCall(number, TONE_PEER))
  }

  /** Joins a call to such a peer that is placed already. */
  static async joinPlaced(
    service: Service,
    number: PairedNumber,
    { id, externalCallId }: { readonly id: string; readonly externalCallId: string },
  ): Promise<SpeakingBot> {
    const session = await service.api('POST', `/v1/calls/${id}/realtime-session`, number.key)
    const bot = new SpeakingBot(
      id,
      externalCallId,
      await SessionClient.connect(session.body.wsUrl, `rate=${BOT_RATE_HZ}`),
    )
    await service.untilCall(number, id, ['ACCEPTED'])
    await bot.untilHeard(1)
    await until('the peer hears the bot', async () => {
      if (bot.client.closed)
        throw new Error(
          `the bot's socket was closed: ${JSON.stringify([bot.client.closed, bot.client.messages.at(-1)])}`,
        )
      return (await service.control('GET', `/calls/${externalCallId}`)).body.heard.rms > 0.01
    })
    return bot
  }

  /** Seconds of the call that the bot has got; the sample count is time ([realtime.audio.3]). */
  get heardSeconds(): number {
    return this.#heardBytes / SECOND_BYTES
  }

  async untilHeard(seconds: number): Promise<void> {
    const from = this.heardSeconds
    await until(
      'the bot goes on hearing the peer',
      () => this.client.closed !== null || this.heardSeconds - from >= seconds,
    )
    if (this.client.closed) throw new Error(`the bot's socket was closed: ${JSON.stringify(this.client.closed)}`)
  }

  /** What the peer's phone got since then. */
  async hearing(service: Service, fromMs: number): Promise<Hearing> {
    const toMs = Date.now()
    const { body } = await service.control('GET', `/calls/${this.externalCallId}/levels?since=${fromMs}`)
    return { levels: body.levels.filter(({ atMs }: Level) => atMs <= toMs), fromMs, toMs }
  }

  #told({ type, state }: { readonly type: string; readonly state?: string }): void {
    if (type !== 'buffer') return
    if (this.#isHeld && state === 'ok') this.#said = this.heardSeconds + AHEAD_SECONDS / 2
    this.#isHeld = state !== 'ok'
  }

  #speak(): void {
    while (!this.#isHeld && this.#said < this.heardSeconds + AHEAD_SECONDS && this.client.socket.readyState <= 1) {
      this.#said += 1
      this.client.speak(this.#next(BOT_RATE_HZ))
    }
  }
}

/** The longest hole that is not heard, in ms: the bot hears no gap ([nodes.calls.3]). */
const HOLE_MS = 60
/**
 * our choice: far longer than a thread waits for its turn on a machine that many share (measured: 83 ms of one call at
 * a load of 10), and no longer than a word: what is lost in a shorter time makes its word short.
 */
const LONG_MS = 500
/**
 * Calls are spread over the 20 ms of a slot: one long pause of one is two short ones of another that got its packet in
 * between (measured). Idle, packets come to 2 ms.
 */
const SHARED_MS = 10
/** Quieter than this is no tone. */
const SILENT_RMS = 0.005

/** Audio that did not come yet when it was looked for, or did not come any more, is missing too. */
function pausesIn({ levels, fromMs, toMs }: Hearing, leastMs: number): Pause[] {
  const ends = [{ atMs: fromMs, ms: 0 }, ...levels, { atMs: toMs, ms: 0 }]
  return ends.flatMap(({ atMs }, i) => {
    const before = ends[i - 1]
    return before && atMs - before.atMs - before.ms > leastMs ? [{ fromMs: before.atMs, toMs: atMs }] : []
  })
}

function longestSilenceMs({ levels }: Hearing): number {
  let longest = 0
  let silence = 0
  for (const { ms, rms } of levels) {
    silence = rms < SILENT_RMS ? silence + ms : 0
    longest = Math.max(longest, silence)
  }
  return longest
}

/** Words that are not whole: packets of them were lost, or came twice. The first and the last may be cut. */
function brokenWordsIn({ levels }: Hearing): string[] {
  const words: { isLoud: boolean; ms: number }[] = []
  for (const { ms, rms } of levels) {
    const isLoud = rms > LOUD_RMS
    const word = words.at(-1)
    if (word?.isLoud === isLoud) word.ms += ms
    else words.push({ isLoud, ms })
  }
  // The packet in which one word ends and the next begins counts for either.
  const broken = words.slice(1, -1).filter(({ ms }) => Math.abs(ms - WORD_MS) > PACKET_MS)
  return broken.map(({ isLoud, ms }) => `${ms} ms of a ${isLoud ? 'loud' : 'quiet'} word of ${WORD_MS}`)
}

/** From a packet to the next, ms, of the longest pause that is a hole; 0 where there is none. */
export function longestPauseMs(hearing: Hearing): number {
  return Math.max(0, ...pausesIn(hearing, HOLE_MS).map(({ fromMs, toMs }) => toMs - fromMs))
}

function arrivalsNear({ levels }: Hearing, atMs: number): string {
  return levels
    .map((level) => level.atMs - atMs)
    .filter((ms) => Math.abs(ms) < 400)
    .join(' ')
}

/**
 * Whether a pause is the machine's: the other call had pauses at that time, of half its length together at least. Not
 * moment by moment: a process that gets little of a busy machine hands out what came for its calls one after the other,
 * so that one and the same wait begins and ends at other times in each (measured).
 */
function isShared({ fromMs, toMs }: Pause, others: readonly Pause[]): boolean {
  const beside = others.filter((other) => other.fromMs < toMs && other.toMs > fromMs)
  return beside.reduce((sum, other) => sum + other.toMs - other.fromMs, 0) >= (toMs - fromMs) / 2
}

/**
 * What was wrong with the audio that a peer got. Silence and what was lost are counted in packets, whatever their
 * times: a media host that gets no processor says later what it has to say, and all of it. A pause counts only where
 * the peer of another call of the same media host, which nothing happened to, had none like it at that time: what takes
 * the processor from media host or sandbox, which hold both calls, pauses both. The other must have been listened to as
 * long at least.
 */
export function holesIn(own: Hearing, untouched: Hearing): string[] {
  const shared = pausesIn(untouched, SHARED_MS)
  const pauses = pausesIn(own, LONG_MS).filter((pause) => !isShared(pause, shared))
  const silenceMs = longestSilenceMs(own)
  return [
    ...(own.levels.length === 0 ? ['nothing was heard'] : []),
    ...(silenceMs > HOLE_MS ? [`${silenceMs} ms of silence`] : []),
    ...brokenWordsIn(own),
    ...pauses.map(
      ({ fromMs, toMs }) =>
        `${toMs - fromMs} ms without a packet, ms since then: ${arrivalsNear(own, fromMs)}, of the other: ${arrivalsNear(untouched, fromMs)}`,
    ),
  ]
}
