"""Episodes on one phone in process, RSS by count."""
import sys, gc, time, resource, os
from garabench.virtual.malloc import return_freed_images
return_freed_images()
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.apps.catalog import installed_apps
def rss():
    for l in open('/proc/self/status'):
        if l.startswith('VmRSS'): return int(l.split()[1])/1024
print('import', rss())
from garabench.suite.suite import Suite
phone = Phone(Profile.parse(sys.argv[2] if len(sys.argv)>2 else "android-34"), apps=installed_apps())
print('boot', rss())
base=rss()
suite = Suite.load(); print('suite', rss())
from tests.virtual.apps.driver import Driver
from garabench.virtual.ui.dump import u2_xml
from garabench.core.steps import *
n=int(sys.argv[1])
items=list(suite.tasks.values())
import random
rng=random.Random(0)
rng.shuffle(items)
class D(Driver):
    def __init__(self, app):
        self.app=app; self.phone=phone; self.answer=None; self._read=None
        self.launch()
start=rss()
t=time.process_time()
bad=0
snap=phone.save_running() if len(sys.argv)>3 and sys.argv[3]=='snap' else None
every=int(os.environ.get('EVERY','25'))
for i in range(n):
    item=items[i%len(items)]
    if snap: phone.load_running(snap)
    else: phone.reset(seed=i)
    app=phone.packages.get(item.app).app
    d=D(app)
    for s in item.task.solution:
        phone.frame().png(); 
        if isinstance(s,(AnswerStep,GiveUpStep)): continue
        try: d.do(s)
        except AssertionError as e: bad+=1; break
    phone.frame().png()
    if (i+1)%every==0: print(i+1, round(rss()), bad, round(time.process_time()-t,1), flush=True)
import ctypes
libc=ctypes.CDLL(None)
class MI(ctypes.Structure):
    _fields_=[(k,ctypes.c_size_t) for k in 'arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost'.split()]
libc.mallinfo2.restype=MI
def mi():
    m=libc.mallinfo2(); print({k:round(getattr(m,k)/2**20,1) for k in ('arena','hblkhd','uordblks','fordblks','keepcost')}, 'rss',rss())
mi(); gc.collect(); mi(); libc.malloc_trim(0); mi()
from PIL import Image
import collections
c=collections.Counter(); n_=collections.Counter()
seen=set()
for o in gc.get_objects():
    if isinstance(o, Image.Image):
        try:
            b=o.width*o.height*{'L':1,'1':1,'P':1}.get(o.mode,4)
        except Exception: continue
        c[(o.mode,o.size)]+=b
print('images', len([1]), sum(c.values())/2**20); print([(k,round(v/2**20,1)) for k,v in c.most_common(12)])
import functools
def deep(o, seen):
    st=[o]; t=0
    while st:
        x=st.pop()
        if id(x) in seen: continue
        seen.add(id(x))
        if isinstance(x,(type,type(sys),type(deep),functools._lru_cache_wrapper)): continue
        t+=sys.getsizeof(x,0)
        if isinstance(x, Image.Image):
            t+=x.width*x.height*{'L':1,'1':1,'P':1}.get(x.mode,4)
        st.extend(gc.get_referents(x))
    return t
seen={id(gc)}
rows=[]
for o in gc.get_objects():
    if isinstance(o, functools._lru_cache_wrapper):
        s0=set(seen)
        t=0
        for r in gc.get_referents(o):
            if isinstance(r,(type(deep),)): continue
            t+=deep(r, seen)
        rows.append((t/2**20, getattr(o,'__module__',''), o.__qualname__, o.cache_info()))
rows.sort(key=lambda r: -r[0])
for r in rows[:25]: print('%.1f %s.%s %s'%r)
print('sum', sum(r[0] for r in rows))
print('phone', deep(phone, seen)/2**20)
tot=deep([m.__dict__ for m in sys.modules.values() if hasattr(m,'__dict__')], seen)
print('modules', tot/2**20)
