import type { Ref, VNode } from 'preact'
import { VList } from 'virtua'
import type { VListHandle, VListProps } from 'virtua'

export type { VListHandle } from 'virtua'

type Props<T> = Omit<VListProps<T>, 'ref'> & { readonly ref?: Ref<VListHandle>; readonly 'data-thread'?: string }

/**
 * A list of which only what is seen is drawn. virtua's types are React's, and know no Preact reference: the same
 * component, typed for us.
 */
export const VirtualList = VList as unknown as <T>(props: Props<T>) => VNode
