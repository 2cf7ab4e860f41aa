import { useEffect, useRef, useState } from 'preact/hooks'
import { DEFAULT_BRANDING } from '../../../../src/domain/branding.ts'
import type { Branding } from '../../../../src/domain/branding.ts'
import { checkField, logosUrl } from '../../../../src/domain/branding-fields.ts'
import { themeWarnings } from '../../../../src/domain/contrast.ts'
import type { ThemeWarning } from '../../../../src/domain/contrast.ts'
import { Confirm } from '../../ground/confirm.tsx'
import { CheckField, Form, TextField } from '../../ground/form.tsx'
import { useApp } from '../../shell/app.ts'
import { draftOf, fieldAround, type } from './draft.ts'
import { LogoUpload } from './logo-upload.tsx'
import type { Words } from './page-words.ts'
import { Preview } from './preview.tsx'
import './branding.css'

interface EditorProps {
  readonly words: Words
  /** The brand that the service has. */
  readonly saved: Branding
  /** Takes the brand that was saved. */
  keep(branding: Branding): void
}

/** What `PUT /api/v1/branding` answers ([branding.routes.2]). */
interface Saved {
  readonly branding: Branding
  readonly warnings: readonly ThemeWarning[]
}

/** The fields of a brand beside the page that they draw, which follows each key. */
export function Editor({ words, saved, keep }: EditorProps) {
  const { api, say, words: ground } = useApp()
  const around = useRef<HTMLDivElement>(null)
  const [draft, change] = useState(saved)
  const [isResetting, reset] = useState(false)
  // The fields begin anew with each brand that the service has, because it writes them its own way.
  const [version, renew] = useState(0)
  const taken = ({ branding }: Saved, said: string): void => {
    keep(branding)
    change(branding)
    renew((now) => now + 1)
    say(said)
  }
  const isChanged = JSON.stringify(draft) !== JSON.stringify({ ...DEFAULT_BRANDING, ...saved })
  return (
    <div class="brand-editor">
      <div ref={around} onInput={() => change(draftIn(around.current))}>
        <Form<Saved>
          key={version}
          name="branding"
          submit={ground.save}
          send={(form) => api.put('/api/v1/branding', draftOf(form))}
          done={(body) => taken(body, ground.saved)}
          more={
            <button type="button" class="button danger" data-action="delete" onClick={() => reset(true)}>
              {words.reset}
            </button>
          }
        >
          <Fields words={words} saved={saved} />
          <Warnings words={words} draft={draft} />
          {isChanged && (
            <p class="hint" data-unsaved>
              {words.unsaved}
            </p>
          )}
        </Form>
      </div>
      <Preview words={words} draft={draft} />
      {isResetting && <Reset words={words} done={(body) => taken(body, words.resetDone)} close={() => reset(false)} />}
    </div>
  )
}

interface ResetProps {
  readonly words: Words
  done(body: Saved): void
  close(): void
}

/** Asks before the brand is cleared. */
function Reset({ words, done, close }: ResetProps) {
  const { api, session } = useApp()
  return (
    <Confirm
      heading={words.resetHeading}
      text={words.resetText}
      name={session.tenant.name}
      label={words.reset}
      close={close}
      act={async () => {
        const answer = await api.put<Saved>('/api/v1/branding', DEFAULT_BRANDING)
        if (answer.fault) return answer.fault
        close()
        done(answer.body)
        return null
      }}
    />
  )
}

function draftIn(around: HTMLElement | null): Branding {
  return draftOf(new FormData(around?.querySelector('form') ?? undefined))
}

function Fields({ words, saved }: { readonly words: Words; readonly saved: Branding }) {
  const { fields, hints } = words
  return (
    <>
      <TextField label={fields.companyName} name="companyName" value={saved.companyName ?? ''} />
      <TextField label={fields.subtitle} name="subtitle" value={saved.subtitle ?? ''} />
      <TextField label={fields.logoUrl} name="logoUrl" hint={hints.logoUrl} value={saved.logoUrl ?? ''} />
      <LogoUpload words={words} />
      <ColorField words={words} name="primaryColor" value={saved.primaryColor} />
      <ColorField words={words} name="backgroundColor" value={saved.backgroundColor} />
      <TextField label={fields.supportUrl} name="supportUrl" hint={hints.supportUrl} value={saved.supportUrl ?? ''} />
      <TextField
        label={fields.defaultRedirectUrl}
        name="defaultRedirectUrl"
        hint={hints.defaultRedirectUrl}
        value={saved.defaultRedirectUrl ?? ''}
      />
      <CheckField
        label={fields.hidePilotStatusBranding}
        name="hidePilotStatusBranding"
        isChecked={saved.hidePilotStatusBranding}
      />
    </>
  )
}

interface ColorFieldProps {
  readonly words: Words
  readonly name: 'primaryColor' | 'backgroundColor'
  readonly value: string | null
}

/** A colour as text, which can be empty, and the browser's own picker beside it. */
function ColorField({ words, name, value }: ColorFieldProps) {
  const picker = useRef<HTMLInputElement>(null)
  const follow = (text: string): void => {
    const checked = checkField(name, text.trim(), '')
    if (picker.current !== null && checked.ok && checked.value !== null) picker.current.value = checked.value
  }
  useEffect(() => follow(value ?? ''), [])
  return (
    <div class="color-field">
      <TextField
        label={words.fields[name]}
        name={name}
        hint={words.hints.color}
        value={value ?? ''}
        placeholder="#RRGGBB"
        change={follow}
      />
      <input
        ref={picker}
        type="color"
        aria-label={words.pick[name]}
        onInput={({ currentTarget }) => {
          const field = fieldAround(currentTarget, name)
          if (field !== null) type(field, currentTarget.value)
        }}
      />
    </div>
  )
}

/** Where the theme mends a colour, in the words of the service: it says the same once the brand is saved. */
function Warnings({ words, draft }: { readonly words: Words; readonly draft: Branding }) {
  const { data } = useApp()
  const colorOf = (name: 'primaryColor' | 'backgroundColor'): string | null => {
    const checked = checkField(name, draft[name], logosUrl(data.baseUrl))
    return checked.ok ? checked.value : null
  }
  const found = themeWarnings({ primaryColor: colorOf('primaryColor'), backgroundColor: colorOf('backgroundColor') })
  return (
    <div role="status">
      {found.length > 0 && (
        <div class="warning" data-warnings>
          <p>{words.warnings}</p>
          <ul class="plain" lang="en">
            {found.map(({ path, message }) => (
              <li key={message} data-warning={path}>
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
