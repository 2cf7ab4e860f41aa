import { useLayoutEffect, useRef } from 'preact/hooks'

/** The last text of this page's heading: the next heading may be another element. */
let said: string | null = null

/**
 * The heading of a page whose content changes by itself. Each new heading takes the focus, so that keyboard and screen
 * reader are where the change is.
 */
export function LiveHeading({ text }: { readonly text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const isNews = said !== null && said !== text
    said = text
    // A page without focus, such as a frame beside a form, must not take it.
    if (isNews && document.hasFocus()) heading.current?.focus({ preventScroll: true })
  }, [text])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  )
}
