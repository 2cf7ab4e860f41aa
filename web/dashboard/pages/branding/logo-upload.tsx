import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { LOGO_BYTES, LOGO_TYPES } from '../../../../src/domain/logo.ts'
import type { Fault } from '../../../ui/session/answers.ts'
import { upload } from '../../api/upload.ts'
import { FaultLine } from '../../ground/asked.tsx'
import { useApp } from '../../shell/app.ts'
import { fieldAround, type } from './draft.ts'
import type { Words } from './page-words.ts'

/** Uploads a logo; its address then stands in the field of the logo, and counts once the brand is saved. */
export function LogoUpload({ words }: { readonly words: Words }) {
  const { session, words: ground, say } = useApp()
  const id = useId()
  const [share, progress] = useState<number | null>(null)
  const [fault, fail] = useState<Fault | null>(null)
  const running = useRef<{ cancel(): void } | null>(null)
  useEffect(() => () => running.current?.cancel(), [])

  async function send(input: HTMLInputElement): Promise<void> {
    const file = input.files?.[0]
    if (file === undefined) return
    fail(null)
    // The service cuts a larger file off, and browsers then tell no reason.
    if (file.size > LOGO_BYTES) {
      input.value = ''
      return fail({ kind: 'REFUSED', code: 'PAYLOAD_TOO_LARGE' })
    }
    progress(0)
    const sending = upload<{ url: string }>('/api/branding/logo', file, session.csrfToken, progress)
    running.current = sending
    const { body, fault: why } = await sending.answer
    if (running.current !== sending) return
    running.current = null
    progress(null)
    const field = fieldAround(input, 'logoUrl')
    input.value = ''
    if (why) return fail(why)
    if (field !== null) type(field, body.url)
    say(words.logoUploaded)
  }

  function cancel(): void {
    const sending = running.current
    running.current = null
    sending?.cancel()
    progress(null)
  }

  return (
    <div class="field" data-logo-upload aria-busy={share !== null}>
      <label for={id}>{words.upload}</label>
      <input
        id={id}
        type="file"
        accept={Object.keys(LOGO_TYPES).join(',')}
        disabled={share !== null}
        aria-describedby={`${id}-hint`}
        onChange={({ currentTarget }) => void send(currentTarget)}
      />
      <p class="hint" id={`${id}-hint`}>
        {words.hints.upload}
      </p>
      {share !== null && (
        <div class="actions">
          <progress aria-label={words.uploading} max={1} value={share} />
          <button type="button" class="button quiet small" data-action="cancel-upload" onClick={cancel}>
            {ground.cancel}
          </button>
        </div>
      )}
      {fault !== null && <FaultLine fault={fault} codes={words.codes} />}
    </div>
  )
}
