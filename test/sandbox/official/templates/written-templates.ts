import { GraphError } from '../../../../sandbox/official/http/graph-error.ts'
import { TemplateBook } from '../../../../sandbox/official/templates/template-book.ts'
import { anyFlow } from '../../../helpers/any-flow.ts'
import { FakeClock } from '../../../helpers/fake-clock.ts'

export const ACCOUNT = { id: '200', appId: '300', subscription: null, hasPaymentButtons: true, marketingStatus: null }
export const DAY_MS = 86_400_000

interface Bench {
  readonly book: TemplateBook
  readonly clock: FakeClock
  /** Makes the handle of an uploaded file. */
  readonly handle: (type?: string, bytes?: number) => string
}

/** A book of templates whose clock the test moves. */
export function open(): Bench {
  const clock = new FakeClock()
  const book = new TemplateBook({ flows: anyFlow, clock, send: () => undefined })
  return {
    book,
    clock,
    handle(type = 'image/png', bytes = 3) {
      const [id = '', sig = ''] = book.uploads
        .start(ACCOUNT.appId, { file_length: bytes, file_type: type })
        .split('?sig=')
      const upload = book.uploads.find(id, sig)
      return upload ? book.uploads.write(upload, 0, Buffer.alloc(bytes)) : 'none'
    },
  }
}

/** The result, or the `code/subcode` of the refusal. */
export function outcome(act: () => { readonly body: object }): any {
  try {
    return act().body
  } catch (error) {
    if (!(error instanceof GraphError)) throw error
    const { error: told } = error.envelope() as any
    return told.error_subcode === undefined ? `${told.code}` : `${told.code}/${told.error_subcode}`
  }
}

export const BODY = { type: 'BODY', text: 'Hello there, how are you?' }
/** A template that is accepted as it is. */
export const base = { name: 'welcome', language: 'pt_BR', category: 'MARKETING', components: [BODY] as object[] }
export const withBody = (text: string, ...samples: string[]) => [
  { type: 'BODY', text, ...(samples.length > 0 ? { example: { body_text: [samples] } } : {}) },
]
export const headed = (text: string, ...samples: string[]) => [
  { type: 'HEADER', format: 'TEXT', text, ...(samples.length > 0 ? { example: { header_text: samples } } : {}) },
  BODY,
]
export const footed = (text: string) => [BODY, { type: 'FOOTER', text }]
export const buttoned = (...buttons: object[]) => [BODY, { type: 'BUTTONS', buttons }]
export const reply = (text: string = 'Yes') => ({ type: 'QUICK_REPLY', text })
export const link = (url: string, more: object = {}) => ({ type: 'URL', text: 'Open', url, ...more })
export const dynamic = link('https://shop.dev/{{1}}', { example: ['https://shop.dev/7'] })
export const code = (example: unknown) => ({ type: 'COPY_CODE', example })
export const call = (phone: string) => ({ type: 'PHONE_NUMBER', text: 'Call', phone_number: phone })
