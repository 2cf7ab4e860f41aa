import Check from 'lucide/dist/esm/icons/check.mjs'
import Link2Off from 'lucide/dist/esm/icons/link-2-off.mjs'
import Smartphone from 'lucide/dist/esm/icons/smartphone.mjs'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ButtonStyle } from '../../src/domain/branding.ts'
import { buttonColors } from '../../src/domain/contrast.ts'
import type { ThemeColors } from '../../src/domain/contrast.ts'
import { Icon } from '../ui/icon.tsx'
import type { PageModel } from './model.ts'
import { queryOnward } from './request.ts'
import { headlineOf } from './says.ts'
import { isOver } from './state.ts'

/** Our choice, in CSS pixels: the radius when the link names none ([branding.button.2]). */
const RADIUS = 8

/** The button that leads to the page. For a link that is over it says what became of the link. */
export function ButtonView({ model }: { readonly model: PageModel }) {
  const {
    page: { value: state },
    words: { value: words },
    look,
  } = model
  if (isOver(state)) {
    const isGood = state.phase === 'connected' || state.phase === 'already-connected'
    return (
      <p class="outcome">
        <Icon of={isGood ? Check : Link2Off} />
        {headlineOf(state, words).heading}
      </p>
    )
  }
  return look.value === null ? null : <ConnectButton model={model} />
}

function ConnectButton({ model }: { readonly model: PageModel }) {
  const {
    page: { value: state },
    request,
    openPage,
    words: {
      value: { connect },
    },
  } = model
  const style = model.look.value?.branding.button ?? {}
  const own = useOwnLook(style, model.colors.value)
  const content = (
    <>
      {style.icon !== false && <Icon of={Smartphone} />}
      <span dir="auto">{style.label ?? connect.button}</span>
    </>
  )
  const open = openPage.value
  if (open !== null)
    return (
      <button type="button" {...own} onClick={open}>
        {content}
      </button>
    )
  const bare = state.isFramed ? { target: '_blank', rel: 'noopener noreferrer' } : {}
  return (
    <a {...own} href={`${location.pathname.replace(/\/$/, '')}/qr${queryOnward(request)}`} {...bare}>
      {content}
      {state.isFramed && <span class="unseen"> {connect.newWindow}</span>}
    </a>
  )
}

/** The style of the button or link as the tenant set it at creation, in readable colours. */
function useOwnLook(style: ButtonStyle, colors: ThemeColors) {
  const ref = useRef<HTMLButtonElement & HTMLAnchorElement>(null)
  const { background, text, border } = buttonColors(style, colors)
  useLayoutEffect(() => {
    const variables = { background, text, border: border ?? 'transparent', radius: `${style.borderRadius ?? RADIUS}px` }
    for (const [name, value] of Object.entries(variables)) ref.current?.style.setProperty(`--own-${name}`, value)
  })
  const size = `${style.size ?? 'medium'}${style.fullWidth ? ' full' : ''}`
  return { ref, class: `connect-button ${size}`, 'data-action': 'connect' }
}
