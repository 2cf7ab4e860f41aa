/**
 * The entry of the pages for signing in, accepting an invitation and letting a client in: reads the address and draws
 * the page.
 */
import { computed, effect, signal } from '@preact/signals'
import { render } from 'preact'
import { DEFAULT_BRANDING } from '../../src/domain/branding.ts'
import { themeOf } from '../../src/domain/contrast.ts'
import { pageData } from '../ui/page-data.ts'
import { colorsDrawn, putColors } from '../ui/theme.ts'
import { loadPeopleWords } from '../words/people/words.ts'
import { start } from './acts.ts'
import { createApi } from './api.ts'
import { createModel } from './model.ts'
import type { PeopleData } from './model.ts'
import { PeoplePage } from './people-page.tsx'
import { requestOf } from './request.ts'
import './people.css'

const data = pageData<PeopleData>()
const request = requestOf(location)
// A secret in the fragment must not stay in the history or show in a screenshot.
if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
// Following another link to the same page changes only the fragment, which loads no document by itself.
addEventListener('hashchange', () => location.reload())
const language = request.language ?? data.lang
document.documentElement.lang = language
const colors = colorsDrawn(
  signal(themeOf(DEFAULT_BRANDING)),
  computed(() => 'auto' as const),
)
effect(() => putColors(colors.value))
const model = createModel(data, request, createApi(), await loadPeopleWords(language))
render(<PeoplePage model={model} />, document.getElementById('page') ?? document.body)
void start(model)
