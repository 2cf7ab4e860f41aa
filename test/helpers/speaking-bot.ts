import { wordSource } from './audio-signal.ts'
import type { Service, PairedNumber } from './service.ts'
import { SessionClient } from './session-client.ts'
import { until } from './until.ts'

/** The sample rate of the session and of the bot's audio. */
export const BOT_RATE_HZ = 8_000
/** A peer that answers after a second and sends a tone. */
export const TONE_PEER = '5511990000006'
/** How far the bot sends ahead of the call, in s, because a pause of the test process is not what is measured. */
const AHEAD_SECONDS = 20
const SECOND_BYTES = BOT_RATE_HZ * 2
/**
 * The bot's audio: a tone in words of 25 packets, one loud, the next quiet. A listener that receives all of it in order
 * gets 25 packets of each, however late they come.
 */
const WORD_MS = 500
const WORD = { samples: (BOT_RATE_HZ * WORD_MS) / 1_000, amplitudes: [9_000, 2_500] } as const
/** The threshold of a loud word; the words have an RMS of 0.19 and 0.05. */
const LOUD_RMS = 0.1
const PACKET_MS = 20

/** The audio that a peer's phone received: packets in sequence order, by the sandbox's clock. */
interface Level {
  /** Ms since the epoch. */
  readonly atMs: number
  /** Length in ms. */
  readonly ms: number
  /** Root mean square, 0 to 1. */
  readonly rms: number
}

/** What a peer's phone received between two times, in ms since the epoch. */
export interface Hearing {
  readonly levels: readonly Level[]
  readonly fromMs: number
  readonly toMs: number
}

/** A time without packets, in ms since the epoch. */
interface Pause {
  readonly fromMs: number
  readonly toMs: number
}

/** A bot in a call that speaks without a pause and listens to the peer, and measures both. */
export class SpeakingBot {
  readonly callId: string
  readonly externalCallId: string
  readonly client: SessionClient
  readonly #next = wordSource(BOT_RATE_HZ, 300, WORD)
  #said = 0
  /** Whether the host asked the bot to pause, because time that a starved host lost is not made up. */
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

  /** Joins a placed call to such a peer. */
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

  /** Seconds of call that the bot received; the sample count is time ([realtime.audio.3]). */
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

  /** What the peer's phone received since `fromMs`. */
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

/** our choice, in ms: a pause longer than this is heard as a gap, and the peer must hear none ([nodes.calls.3]). */
const HOLE_MS = 60
/**
 * our choice, in ms: far longer than a thread waits for its turn on a busy machine (measured: 83 ms in one call at a
 * load of 10), and no longer than a word, because a shorter loss makes its word short.
 */
const LONG_MS = 500
/**
 * In ms. Calls are spread over the 20 ms of a slot, so one long pause in a call is two short ones in another call that
 * got its packet in between (measured). On an idle machine packets are at most 2 ms late.
 */
const SHARED_MS = 10
/** An RMS below this is silence. */
const SILENT_RMS = 0.005

/** Audio that had not come yet at the start or the end of the hearing counts as missing too. */
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

/**
 * Words that are incomplete or too long, because packets were lost or came twice. The first and the last word may be
 * cut.
 */
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

/** The longest pause that counts as a hole, from packet to packet in ms; 0 when there is none. */
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
 * Whether a pause is the machine's: the other call had pauses in that time that add up to at least half its length.
 * They are not compared moment by moment, because a process with little CPU serves its calls one after another, so the
 * same wait begins and ends at other times in each (measured).
 */
function isShared({ fromMs, toMs }: Pause, others: readonly Pause[]): boolean {
  const beside = others.filter((other) => other.fromMs < toMs && other.toMs > fromMs)
  return beside.reduce((sum, other) => sum + other.toMs - other.fromMs, 0) >= (toMs - fromMs) / 2
}

/**
 * The faults in the audio that a peer received. Silence and losses are counted in packets, whatever their times,
 * because a media host without CPU sends everything later. A pause counts only when the peer of another, undisturbed
 * call of the same media host had none like it at that time: whatever takes the CPU from media host or sandbox, which
 * hold both calls, pauses both. The other call must have been listened to for at least as long.
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
