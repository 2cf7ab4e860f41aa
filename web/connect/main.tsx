/** The entry of the connect page: reads the address and draws the page. */
import { render } from 'preact'
import { pageData } from '../ui/page-data.ts'
import { loadWords } from '../words/connect/words.ts'
import { ConnectPage } from './connect-page.tsx'
import { createModel, drawDocument, firstLanguage } from './model.ts'
import type { ConnectData } from './model.ts'
import { requestOf } from './request.ts'
import { firstState, start } from './start.ts'
import './connect.css'

const place = document.getElementById('page') ?? document.body
const data = pageData<ConnectData>()
const request = requestOf(location.pathname, location.search)
const model = createModel(data, request, await loadWords(firstLanguage(data, request)), firstState(request))
drawDocument(model)
render(<ConnectPage model={model} />, place)
void start(model, data, place)
