// A type that has every kind of list, for tests of patches.

import { structsOf } from '../../src/kube/schema.js';

const structs = structsOf({
  Widget:
    'name labels:{}string tags:[set]string parts:[name]Part kept:[name+retainKeys]Part ports:[port]Port steps:[]Part inner?:Widget',
  Part: 'name! size color labels:{}string tags:[set]string parts:[name]Part',
  Port: 'port!:int name',
});

const found = structs.get('Widget');
if (found === undefined) throw new Error('no Widget');
export const widgetSchema = found;
