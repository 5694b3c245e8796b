import {
  collection,
  ERRORS,
  GONE,
  INTEGER,
  inPath,
  inQuery,
  type Json,
  list,
  object,
  ref,
  returns,
  TEXT,
  TIME,
  takes,
  toDocument,
} from './small-documents.js'

const MADE = { ...INTEGER, readOnly: true }
const EMAIL = { ...TEXT, format: 'email' }
const STATUS = { type: 'string', enum: ['todo', 'in_progress', 'done', 'archived'] }

const schemas = {
  User: object({ id: MADE, email: EMAIL, name: TEXT }, ['id', 'email']),
  NewUser: object({ email: EMAIL, name: TEXT, password: TEXT }, ['email', 'password']),
  Task: object(
    {
      id: MADE,
      title: TEXT,
      status: STATUS,
      createdAt: { ...TIME, readOnly: true },
      completedAt: { ...TIME, readOnly: true },
      authorId: MADE,
      projectNumber: MADE,
      commentCount: MADE,
      tags: list(ref('Tag')),
    },
    ['id', 'title', 'status', 'authorId'],
  ),
  NewTask: object({ title: TEXT, status: STATUS }, ['title']),
  Tag: object({ id: MADE, name: TEXT, slug: TEXT }, ['id', 'name']),
  Project: object({ id: MADE, name: TEXT }, ['id', 'name']),
  Comment: object({ id: MADE, taskId: MADE, text: TEXT }, ['id', 'text']),
}

const reply = (schema: Json, status = 200) => ({ responses: { [status]: returns(schema), ...ERRORS } })
const onTask = [inPath('taskId')]

/** A document with what most have that no document says: sign-in, states, tags, an archive, many at once, unique emails, counts. */
export const document = {
  ...toDocument(
    {
      ...collection('users', { record: ref('User'), sent: ref('NewUser') }),
      '/login': {
        post: {
          operationId: 'login',
          security: [],
          ...takes(object({ email: EMAIL, password: TEXT }, ['email', 'password'])),
          ...reply(object({ token: TEXT }, ['token'])),
        },
      },
      '/me': { get: { operationId: 'getMe', ...reply(ref('User')) } },
      ...collection('projects', { record: ref('Project') }),
      '/projects/{projectId}/tasks': {
        parameters: [inPath('projectId')],
        get: { operationId: 'listTasks', ...reply(list(ref('Task'))) },
        post: { operationId: 'createTask', ...takes(ref('NewTask')), ...reply(ref('Task'), 201) },
      },
      '/tasks/{taskId}': {
        parameters: onTask,
        get: { operationId: 'getTask', ...reply(ref('Task')) },
        patch: { operationId: 'changeTask', ...takes({ ...ref('TaskChange') }), ...reply(ref('Task')) },
        delete: { operationId: 'removeTask', responses: { 204: GONE, ...ERRORS } },
      },
      '/tasks/{taskId}/complete': {
        parameters: onTask,
        post: { operationId: 'completeTask', ...reply(ref('Task')) },
      },
      '/tasks/{taskId}/shelve': { parameters: onTask, post: { operationId: 'shelveTask', ...reply(ref('Task')) } },
      '/tasks/{taskId}/tags': { parameters: onTask, get: { operationId: 'listTaskTags', ...reply(list(ref('Tag'))) } },
      '/tasks/{taskId}/tags/{tagId}': {
        parameters: [...onTask, inPath('tagId')],
        put: { operationId: 'tagTask', responses: { 204: GONE, ...ERRORS } },
        delete: { operationId: 'untagTask', responses: { 204: GONE, ...ERRORS } },
      },
      ...collection('comments', { record: ref('Comment'), prefix: '/tasks/{taskId}', parents: onTask }),
      ...collection('tags', { record: ref('Tag') }),
      '/search': {
        get: { operationId: 'search', parameters: [inQuery('q')], ...reply(list(ref('Task'))) },
      },
    },
    { ...schemas, TaskChange: { ...schemas.NewTask, required: [] } },
  ),
  security: [{ token: [] }],
}

Object.assign(document.components, { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } })
