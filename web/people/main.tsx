/** Signing in, taking up an invitation, and letting a client in: joins what the address asks for with what is drawn. */
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
// What opens something is in no history, and in nobody's screenshot.
if (location.hash !== '') history.replaceState(null, '', location.pathname + location.search)
// Another link, followed on the page of this one, loads no document by itself.
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
