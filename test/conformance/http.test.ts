import { replayHttp } from './http/replay.js';

replayHttp({
  create: [],
  getlist: [],
  patch: ['apply-conflict-409-and-force', 'apply-missing-namespace-404'],
  put: [],
  status: ['status-apply-patch'],
  delete: [],
  misc: ['accept-protobuf', 'accept-yaml', 'fieldValidation-duplicate-field', 'json-numbers'],
});
