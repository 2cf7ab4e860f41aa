/** One conversation with the scripted model: events of the client in, events of the server out. */
import { decodeMulaw, encodeMulaw } from './mulaw.ts'
import { lowered, raised } from './resample.ts'
import { speechOf } from './speech.ts'
import { Turns } from './turns.ts'

const RATE_HZ = 8_000
/** What `audio/pcm` of the protocol has a second, in multiples of the above. */
const PCM_TIMES = 3
/** our choice: 40 ms a delta, all of them at once, as models speak faster than they are heard. */
const DELTA_BYTES = RATE_HZ / 25
/** our choice: at most 5 s are said back. */
const MOST_BYTES = RATE_HZ * 5

const GREETING = 'Hello, this is the scripted model. Say something, and I will say it back to you.'
const KEYS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    'zero one two three four five six seven eight nine'.split(' ').map((word, at) => [String(at), word]),
  ),
  '*': 'star',
  '#': 'hash',
}

/** An event of the protocol; fields beside `type` depend on it. */
export type RealtimeEvent = { readonly type: string; readonly [field: string]: any }

/** What the model says and does next. */
interface Answer {
  readonly transcript: string
  /** Mu-law. */
  readonly audio: Uint8Array
  /** The tool that is called behind the words; null when there is none. */
  readonly call: { readonly name: string; readonly arguments: object } | null
}

const says = (transcript: string, call: Answer['call'] = null): Answer => ({
  transcript,
  audio: speechOf(transcript),
  call,
})

/** The answer to what the client wrote. */
function answerTo(text: string): Answer {
  const [, key = ''] = /pressed ([0-9*#])/.exec(text) ?? []
  if (key === '#') return says('Goodbye.', { name: 'hang_up', arguments: {} })
  const call = { name: 'press_keys', arguments: { digits: key } }
  return key === '' ? says('I do not know that key.') : says(`You pressed ${KEYS[key]}.`, call)
}

export class ScriptedConversation {
  readonly #send: (event: RealtimeEvent) => void
  readonly #say: (line: string) => void
  readonly #turns = new Turns(RATE_HZ)
  readonly #items = new Map<string, object>()
  #session: Record<string, any> = { type: 'realtime', object: 'realtime.session', model: 'scripted', tracing: null }
  #next: Answer = says(GREETING)
  #count = 0
  #turnItem = ''

  constructor(send: (event: RealtimeEvent) => void, say: (line: string) => void) {
    this.#send = send
    this.#say = say
  }

  begin(): void {
    this.#tell('session.created', { session: this.#session })
  }

  hear(event: RealtimeEvent): void {
    switch (event.type) {
      case 'session.update':
        this.#session = { ...this.#session, ...event['session'] }
        return this.#tell('session.updated', { session: this.#session })
      case 'input_audio_buffer.append':
        return this.#listen(this.#samplesOf(Buffer.from(event['audio'], 'base64')))
      case 'conversation.item.create':
        return this.#read(event['item'], event['previous_item_id'])
      case 'conversation.item.delete':
        this.#items.delete(event['item_id'])
        return this.#tell('conversation.item.deleted', { item_id: event['item_id'] })
      case 'response.create':
        return this.#respond(event['response']?.metadata)
      case 'conversation.item.truncate':
        return this.#truncate(event)
      case 'conversation.item.retrieve':
        return this.#tell('conversation.item.retrieved', { item: this.#items.get(event['item_id']) ?? {} })
      case 'response.cancel':
        // Answers are whole by the time that they could be cancelled.
        return this.#fault('response_cancel_not_active', 'Cancellation failed: no active response found')
      default:
        return this.#fault('invalid_value', `the script has no ${event.type}`)
    }
  }

  /** Whether the client asked for PCM16 at 24,000 Hz; else it speaks mu-law. */
  #isPcm(way: 'input' | 'output'): boolean {
    return this.#session['audio']?.[way]?.format?.type === 'audio/pcm'
  }

  #samplesOf(bytes: Buffer): Int16Array {
    return this.#isPcm('input') ? lowered(bytes, PCM_TIMES) : decodeMulaw(bytes)
  }

  #bytesOf(speech: Uint8Array): Buffer {
    return this.#isPcm('output') ? raised(decodeMulaw(speech), PCM_TIMES) : Buffer.from(speech)
  }

  #listen(samples: Int16Array): void {
    for (const turn of this.#turns.hear(samples)) {
      if (turn.is === 'started') this.#turnItem = `item_${++this.#count}`
      const id = this.#turnItem
      if (turn.is === 'started') {
        this.#say('the caller speaks')
        this.#tell('input_audio_buffer.speech_started', { item_id: id, audio_start_ms: turn.atMs })
      } else {
        this.#tell('input_audio_buffer.speech_stopped', { item_id: id, audio_end_ms: turn.atMs })
        this.#tell('input_audio_buffer.committed', { item_id: id, previous_item_id: this.#lastItem() })
        this.#add({ ...messageOf(id, 'completed', [{ type: 'input_audio', transcript: null }]), role: 'user' })
        const said = encodeMulaw(turn.said.subarray(-MOST_BYTES))
        this.#next = { ...says('You said'), audio: Buffer.concat([speechOf('You said'), said]) }
        this.#respond()
      }
    }
  }

  /** A text, or the result of a tool, behind which the client may ask for a response. */
  #read(item: RealtimeEvent, after: string | undefined): void {
    this.#add({ ...item, id: item['id'] ?? `item_${++this.#count}`, status: 'completed' }, after)
    if (item.type !== 'message') this.#next = { transcript: '', audio: new Uint8Array(0), call: null }
    else if (item['role'] === 'user') this.#next = answerTo(item['content']?.[0]?.text ?? '')
  }

  /** `metadata` is the client's, by which it knows the response that it asked for. */
  #respond(metadata: object | null = null): void {
    const { transcript, audio, call } = this.#next
    const [id, item] = [`resp_${++this.#count}`, `item_${this.#count}`]
    const response = { id, object: 'realtime.response', metadata }
    this.#tell('response.created', { response: { ...response, status: 'in_progress' } })
    if (audio.length > 0) this.#speak({ response: id, item, transcript, audio })
    if (call) this.#call(id, call)
    this.#tell('response.done', { response: { ...response, status: 'completed' } })
  }

  #speak(answer: { response: string; item: string; transcript: string; audio: Uint8Array }): void {
    const { response, item, transcript, audio } = answer
    this.#say(`says "${transcript}"`)
    const place = { response_id: response, item_id: item, output_index: 0, content_index: 0 }
    this.#tell('response.output_item.added', { ...place, item: messageOf(item, 'in_progress', []) })
    this.#add(messageOf(item, 'in_progress', []))
    this.#tell('response.content_part.added', { ...place, part: { type: 'audio', transcript: '' } })
    this.#tell('response.output_audio_transcript.delta', { ...place, delta: transcript })
    for (let at = 0; at < audio.length; at += DELTA_BYTES) {
      const delta = this.#bytesOf(audio.subarray(at, at + DELTA_BYTES)).toString('base64')
      this.#tell('response.output_audio.delta', { ...place, delta })
    }
    this.#tell('response.output_audio.done', place)
    this.#tell('response.output_audio_transcript.done', { ...place, transcript })
    const said = messageOf(item, 'completed', [{ type: 'output_audio', transcript }])
    this.#items.set(item, said)
    this.#tell('response.output_item.done', { ...place, item: said })
  }

  #call(response: string, call: NonNullable<Answer['call']>): void {
    this.#say(`calls ${call.name}`)
    const id = `item_call_${this.#count}`
    const item = { id, type: 'function_call', status: 'completed', call_id: `call_${this.#count}`, name: call.name }
    const whole = { ...item, arguments: JSON.stringify(call.arguments) }
    this.#add(whole)
    this.#tell('response.output_item.done', { response_id: response, output_index: 1, item: whole })
  }

  #truncate({ item_id: id, content_index: content, audio_end_ms: ms }: RealtimeEvent): void {
    this.#say(`was cut off after ${ms} ms`)
    this.#tell('conversation.item.truncated', { item_id: id, content_index: content, audio_end_ms: ms })
  }

  #lastItem(): string | null {
    return [...this.#items.keys()].at(-1) ?? null
  }

  /** Keeps an item of the conversation, behind the last one where the client does not say which. */
  #add(item: RealtimeEvent, after: string | null = this.#lastItem()): void {
    this.#items.set(item['id'], item)
    this.#tell('conversation.item.added', { item, previous_item_id: after })
  }

  #fault(code: string, message: string): void {
    this.#tell('error', { error: { type: 'invalid_request_error', code, message } })
  }

  #tell(type: string, fields: object): void {
    this.#send({ type, event_id: `event_${++this.#count}`, ...fields })
  }
}

function messageOf(id: string, status: string, content: object[]) {
  return { id, object: 'realtime.item', type: 'message', status, role: 'assistant', content }
}
