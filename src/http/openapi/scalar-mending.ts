/**
 * Adds to Scalar's page what WCAG asks for and Scalar (1.72.1) leaves out: names of its buttons that copy code and of
 * its fields that take variables, and `aria-expanded` on those fields, which are comboboxes. It runs in the page as a
 * part of the library's script, because the policy of the page lets no other script run. What is added to the page is
 * looked through once.
 */
function mendAccessibility(): void {
  const { document, MutationObserver } = globalThis as unknown as Page
  const mend = (element: Drawn): void => {
    const isField = element.getAttribute('role') === 'combobox'
    if (!element.hasAttribute('aria-label'))
      element.setAttribute('aria-label', isField ? (element.getAttribute('data-placeholder') ?? 'Value') : 'Copy')
    if (isField && !element.hasAttribute('aria-expanded')) element.setAttribute('aria-expanded', 'false')
  }
  const unnamed = 'button.scalar-code-copy, .code-input-lite__editor[role=combobox]'
  const mendIf = (element: Drawn): void => {
    if (element.matches?.(unnamed)) mend(element)
  }
  const mendBelow = (element: Drawn): void => {
    mendIf(element)
    for (const found of element.querySelectorAll?.(unnamed) ?? []) mend(found)
  }
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes } of changes) {
      if (type === 'attributes') mendIf(target)
      else for (const added of addedNodes) mendBelow(added)
    }
  }).observe(document.documentElement, { childList: true, subtree: true, attributeFilter: ['aria-expanded', 'role'] })
  mendBelow(document.documentElement)
}

/** A node of the page. A text node lacks what only elements have. */
interface Drawn {
  matches?(selector: string): boolean
  querySelectorAll?(selector: string): Iterable<Drawn>
  hasAttribute(name: string): boolean
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
}

interface Change {
  readonly type: string
  readonly target: Drawn
  readonly addedNodes: Iterable<Drawn>
}

/** What `mendAccessibility` uses of the page. */
interface Page {
  readonly document: { readonly documentElement: Drawn }
  readonly MutationObserver: new (changed: (changes: readonly Change[]) => void) => {
    observe(target: unknown, what: object): void
  }
}

/** The text to append to the library's script, which ends in a comment. */
export const MENDING = `\n;(${mendAccessibility.toString()})();`
