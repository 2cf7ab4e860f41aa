import type { Kind } from './checks.ts'

/** Versions of documents that are accepted: upstream's, without expired ones. */
export const VERSIONS = [
  '2.1',
  '3.0',
  '3.1',
  '4.0',
  '5.0',
  '5.1',
  '6.0',
  '6.1',
  '6.2',
  '6.3',
  '7.0',
  '7.1',
  '7.2',
  '7.3',
] as const

interface Property {
  readonly kind: Kind
  readonly isRequired: boolean
  /** First version that has the property. */
  readonly since: string
}

export interface ComponentKind {
  readonly since: string
  /** True when it asks the user for something, under its name. */
  readonly isInput: boolean
  readonly properties: Readonly<Record<string, Property>>
}

/** `text! 5.1`: a text that is required and came with version 5.1. */
function propertyOf(written: string): Property {
  const [kind = '', since = '2.1'] = written.split(' ')
  return { kind: kind.replace('!', '') as Kind, isRequired: kind.endsWith('!'), since }
}

function component(since: string, specs: Readonly<Record<string, string>>, isInput: boolean = false): ComponentKind {
  const all = { visible: 'flag', ...specs }
  return {
    since,
    isInput,
    properties: Object.fromEntries(Object.entries(all).map(([name, written]) => [name, propertyOf(written)])),
  }
}

function input(since: string, specs: Readonly<Record<string, string>>): ComponentKind {
  return component(
    since,
    {
      name: 'name!',
      label: 'text',
      required: 'flag',
      enabled: 'flag',
      'init-value': 'either 4.0',
      'error-message': 'either 4.0',
      ...specs,
    },
    true,
  )
}

/** Keys written apart from an object, because an object with `then` may be taken for a promise. */
const BRANCHES = Object.fromEntries(['then components!', 'else components'].map((one) => one.split(' ')))
const ON_SELECT = { 'on-select-action': 'fields', 'on-unselect-action': 'fields 6.0' }
const OPTIONS = { 'data-source': 'list!', description: 'text 4.0', 'media-size': 'text 5.0', ...ON_SELECT }
const COUNTED = { 'min-selected-items': 'number', 'max-selected-items': 'number' }
const DATES = {
  'min-date': 'either',
  'max-date': 'either',
  'unavailable-dates': 'list',
  'helper-text': 'either',
  'on-select-action': 'fields',
}
const STYLED = { text: 'texts!', 'font-weight': 'text', strikethrough: 'flag', markdown: 'flag 5.1' }

/** Components by their type, after upstream's public reference. */
export const COMPONENTS: ReadonlyMap<string, ComponentKind> = new Map(
  Object.entries({
    TextHeading: component('2.1', { text: 'text!' }),
    TextSubheading: component('2.1', { text: 'text!' }),
    TextBody: component('2.1', STYLED),
    TextCaption: component('2.1', STYLED),
    RichText: component('5.1', { text: 'texts!' }),
    TextInput: input('2.1', {
      'input-type': 'text',
      pattern: 'text 6.2',
      'min-chars': 'number',
      'max-chars': 'number',
      'helper-text': 'text',
      'label-variant': 'text 7.0',
    }),
    TextArea: input('2.1', { 'max-length': 'number', 'helper-text': 'text', 'label-variant': 'text 7.0' }),
    CheckboxGroup: input('2.1', { ...OPTIONS, ...COUNTED }),
    RadioButtonsGroup: input('2.1', OPTIONS),
    ChipsSelector: input('6.3', { ...OPTIONS, ...COUNTED, 'on-unselect-action': 'fields 7.1' }),
    Dropdown: input('2.1', { 'data-source': 'list!', ...ON_SELECT }),
    OptIn: input('2.1', {
      'on-click-action': 'fields',
      'on-select-action': 'fields 6.0',
      'on-unselect-action': 'fields 6.0',
    }),
    DatePicker: input('2.1', DATES),
    CalendarPicker: input('6.1', {
      ...DATES,
      label: 'either',
      required: 'either',
      title: 'text',
      description: 'text',
      mode: 'text',
      'include-days': 'list',
      'min-days': 'number',
      'max-days': 'number',
    }),
    PhotoPicker: input('4.0', {
      description: 'text',
      'photo-source': 'text',
      'max-file-size-kb': 'number',
      'min-uploaded-photos': 'number',
      'max-uploaded-photos': 'number',
    }),
    DocumentPicker: input('4.0', {
      description: 'text',
      'allowed-mime-types': 'list',
      'max-file-size-kb': 'number',
      'min-uploaded-documents': 'number',
      'max-uploaded-documents': 'number',
    }),
    Footer: component('2.1', {
      label: 'text!',
      'left-caption': 'text',
      'center-caption': 'text',
      'right-caption': 'text',
      enabled: 'flag',
      'on-click-action': 'fields!',
    }),
    EmbeddedLink: component('2.1', { text: 'text!', 'on-click-action': 'fields!' }),
    NavigationList: component('6.2', {
      name: 'name!',
      'list-items': 'list!',
      label: 'text',
      description: 'text',
      'media-size': 'text',
      'on-click-action': 'fields',
    }),
    Image: component('2.1', {
      src: 'text!',
      width: 'number',
      height: 'number',
      'scale-type': 'text',
      'aspect-ratio': 'number',
      'alt-text': 'text',
    }),
    ImageCarousel: component('7.1', { images: 'list!', 'aspect-ratio': 'text', 'scale-type': 'text' }),
    Form: component('2.1', {
      name: 'name',
      children: 'components!',
      'init-values': 'fields',
      'error-messages': 'fields',
    }),
    If: component('4.0', { condition: 'text!', ...BRANCHES }),
    Switch: component('4.0', { value: 'text!', cases: 'fields!' }),
  }),
)

/** True when a document of this version has what came with another. */
export function isSince(version: string, since: string): boolean {
  return Number(version) >= Number(since)
}
