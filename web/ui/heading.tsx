import { useLayoutEffect, useRef } from 'preact/hooks'

/** What the heading of this page said last: the next one may stand in another place. */
let said: string | null = null

/**
 * The heading of a page whose content changes by itself, one a page: the focus goes to each new one, so that keyboard
 * and reader are where the news is.
 */
export function LiveHeading({ text }: { readonly text: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => {
    const isNews = said !== null && said !== text
    said = text
    // A page that nobody is in, as a frame beside a form, takes no focus from where it is.
    if (isNews && document.hasFocus()) heading.current?.focus({ preventScroll: true })
  }, [text])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {text}
    </h1>
  )
}
