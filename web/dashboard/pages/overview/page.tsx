import CircleCheck from 'lucide/dist/esm/icons/circle-check.mjs'
import Circle from 'lucide/dist/esm/icons/circle.mjs'
import type { Permission } from '../../../../src/domain/permissions.ts'
import { Icon } from '../../../ui/icon.tsx'
import type { words as english } from '../../../words/dashboard/overview/en.ts'
import type { Like } from '../../../words/language.ts'
import { Asked, useAsked } from '../../ground/asked.tsx'
import { PageFrame } from '../../ground/page.tsx'
import { useLive } from '../../ground/use-live.ts'
import { useSettled } from '../../ground/use-settled.ts'
import { useApp } from '../../shell/app.ts'
import type { PageProps } from '../../shell/page-files.ts'
import { SandboxStrip } from './sandbox-strip.tsx'

type Words = Like<typeof english>

/** What `GET /api/overview` answers ([dashboard.routes.1]). */
interface Overview {
  readonly numbers: Readonly<Record<'OPEN' | 'CONNECTING' | 'CLOSE', number>>
  readonly checklist: Readonly<Record<Step, boolean>>
  readonly failing: readonly { readonly webhookId: string; readonly failed24h: number }[]
  readonly liveCalls: number
  readonly sandbox: { readonly controlUrl: string } | null
}

type Step = keyof Words['step']

/** The steps in the order that people take them, where each is taken, and what that needs. */
const STEPS: readonly { readonly step: Step; readonly path: string; readonly needs: Permission }[] = [
  { step: 'numberConnected', path: '/dashboard/numbers', needs: 'numbers:manage' },
  { step: 'messageSent', path: '/docs#tag/messages', needs: 'chat:send' },
  { step: 'webhookDelivered', path: '/dashboard/webhooks', needs: 'webhooks:manage' },
  { step: 'callPlaced', path: '/dashboard/calls', needs: 'calls:manage' },
  { step: 'brandingSet', path: '/dashboard/branding', needs: 'numbers:manage' },
  { step: 'embedMinted', path: '/dashboard/embeds', needs: 'chat:send' },
]

/** How the account stands, and what to do next. */
export function Page({ words }: PageProps<Words>) {
  const { api } = useApp()
  const overview = useAsked((signal) => api.get<Overview>('/api/overview', { signal }), [])
  const refresh = useSettled(overview.again)
  useLive({ number: refresh, call: refresh, event: refresh })
  return (
    <PageFrame name="overview" heading={words.heading}>
      <Asked of={overview}>
        {(body) => (
          <>
            <Figures words={words} overview={body} />
            <Failing words={words} overview={body} />
            <Steps words={words} overview={body} />
            {body.sandbox !== null && <SandboxStrip words={words} controlUrl={body.sandbox.controlUrl} />}
          </>
        )}
      </Asked>
    </PageFrame>
  )
}

interface PartProps {
  readonly words: Words
  readonly overview: Overview
}

function Figures({ words, overview: { numbers, liveCalls } }: PartProps) {
  return (
    <dl class="figures">
      {(['OPEN', 'CONNECTING', 'CLOSE'] as const).map((state) => (
        <div key={state} data-figure={state}>
          <dt>
            {words.numbers}, {words.states[state]}
          </dt>
          <dd>{numbers[state]}</dd>
        </div>
      ))}
      <div data-figure="liveCalls">
        <dt>{words.liveCalls}</dt>
        <dd>{liveCalls}</dd>
      </div>
    </dl>
  )
}

function Failing({ words, overview: { failing } }: PartProps) {
  if (failing.length === 0) return null
  return (
    <section class="card warning" aria-labelledby="failing">
      <h2 id="failing">{words.failing}</h2>
      <ul class="plain">
        {failing.map(({ webhookId, failed24h }) => (
          <li key={webhookId} data-id={webhookId}>
            <a class="link" href={`/dashboard/webhooks/${encodeURIComponent(webhookId)}`}>
              <code dir="ltr">{webhookId}</code>
            </a>{' '}
            <span class="muted">{words.failed(failed24h)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** The first steps that this session may take, the next one first of all in words. */
function Steps({ words, overview: { checklist } }: PartProps) {
  const { can } = useApp()
  const steps = STEPS.filter(({ needs }) => can(needs))
  const next = steps.find(({ step }) => !checklist[step])
  if (steps.length === 0) return null
  return (
    <section class="card" aria-labelledby="steps">
      <h2 id="steps">{words.steps}</h2>
      {next === undefined ? (
        <p class="muted">{words.allDone}</p>
      ) : (
        <p>
          <strong>{words.next}:</strong>{' '}
          <a class="link" href={next.path} data-next={next.step}>
            {words.step[next.step].name}
          </a>
          . <span class="muted">{words.step[next.step].text}</span>
        </p>
      )}
      <ol class="checklist">
        {steps.map(({ step, path }) => (
          <li key={step} data-step={step} data-done={checklist[step]}>
            <Icon of={checklist[step] ? CircleCheck : Circle} size={18} />
            <a class="link" href={path}>
              {words.step[step].name}
            </a>
            <span class="muted">{checklist[step] ? words.done : words.open}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
