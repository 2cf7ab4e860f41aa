import MonitorSmartphone from 'lucide/dist/esm/icons/monitor-smartphone.mjs'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../ui/icon.tsx'
import { QrPicture } from '../ui/pairing/qr-picture.tsx'
import type { PageModel } from './model.ts'
import type { Phase } from './page-state.ts'
import './on-phone.css'

/** Phases in which there is still something to do on the phone. */
const OPEN: readonly Phase[] = ['ready', 'showing', 'paused']

interface OnPhoneProps {
  readonly model: PageModel
  /** The page's address for a phone. */
  readonly url: string
}

/** Offers the page for a phone, which can then type the code that it shows itself ([pages.addresses.10]). */
export function OnPhone({ model, url }: OnPhoneProps) {
  const [isShown, show] = useState(false)
  const { onPhone } = model.words.value.connect
  const { phase, code } = model.page.value
  if (code === null && !OPEN.includes(phase)) return null
  return (
    <>
      <button type="button" class="link on-phone" data-action="on-phone" onClick={() => show(true)}>
        <Icon of={MonitorSmartphone} />
        {onPhone.heading}
      </button>
      {isShown && <PhoneDialog model={model} url={url} close={() => show(false)} />}
    </>
  )
}

interface PhoneDialogProps extends OnPhoneProps {
  close(): void
}

/** The QR code covers the page: beside the code that the chat app scans, the wrong one of the two would be scanned. */
function PhoneDialog({ model, url, close }: PhoneDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => dialog.current?.showModal(), [])
  const { onPhone } = model.words.value.connect
  return (
    <dialog ref={dialog} class="on-phone-dialog" aria-labelledby="on-phone" data-on-phone onClose={close}>
      <h2 id="on-phone">{onPhone.heading}</h2>
      <div class="qr-tile">
        <QrPicture text={url} label={onPhone.label} />
      </div>
      <p class="muted">{onPhone.text}</p>
      <button type="button" class="button quiet" data-action="close" onClick={() => dialog.current?.close()}>
        {onPhone.close}
      </button>
    </dialog>
  )
}
