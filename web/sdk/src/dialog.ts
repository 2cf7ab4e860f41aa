import { make } from './element.ts'

const COVER =
  'display:grid;position:fixed;inset:0;width:100%;height:100%;max-width:none;max-height:none;margin:0;padding:16px;border:0;box-sizing:border-box;background:#0008;overflow:hidden'
const PANEL =
  'position:relative;width:100%;max-width:480px;height:100%;max-height:760px;margin:auto;border-radius:12px;overflow:hidden;background:Canvas'
/** Black on white, so that the button is visible on a frame of any colour. */
const CLOSE =
  'position:absolute;top:8px;right:8px;width:44px;height:44px;padding:0;border:1px solid;border-radius:50%;background:#fff;color:#000;font:24px/1 system-ui;cursor:pointer;z-index:1'

/** The number of open dialogs that keep the page from scrolling, and its `overflow` before the first one. */
let open = 0
let before = ''

function holdPage(): void {
  const { style } = document.documentElement
  if (open++ === 0) before = style.overflow
  style.overflow = 'hidden'
}

function releasePage(): void {
  const { documentElement: root } = document
  if (--open > 0) return
  root.style.overflow = before
  if (!root.getAttribute('style')) root.removeAttribute('style')
}

/**
 * Opens a modal dialog over the page; its content goes into `panel`. The page below does not scroll. However the dialog
 * closes (Esc, its button or `close`), the page scrolls as before, the focus goes back, nothing is left on the page,
 * and `closed` is called once.
 */
export function openDialog(
  title: string,
  close: string,
  closed: () => void,
): { readonly panel: HTMLElement; close(): void } {
  const dialog = make('dialog', COVER, { ariaLabel: title })
  const panel = make('div', PANEL)
  const button = make('button', CLOSE, { type: 'button', ariaLabel: close, textContent: '×' })
  panel.append(button)
  dialog.append(panel)
  let isOver = false

  function end(): void {
    if (isOver) return
    isOver = true
    // Returns the focus without scrolling.
    dialog.close()
    dialog.remove()
    releasePage()
    closed()
  }

  dialog.addEventListener('close', end)
  button.addEventListener('click', end)
  document.body.append(dialog)
  holdPage()
  dialog.showModal()
  return { panel, close: end }
}
