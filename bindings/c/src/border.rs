//! Results, messages and handles.

use farstride_bindings::{Failure, FailureKind};
use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

/// How a call ended.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Result {
    /// All went well.
    Ok = 0,
    /// A pointer is null, or text is not UTF-8.
    Argument = 1,
    /// A handle is null, freed, or of another kind.
    Handle = 2,
    /// A map does not make sense.
    Map = 3,
    /// A cell, an edit or a number does not fit the map.
    Query = 4,
    /// A setting or an engine does not exist, or a value is out of range.
    Settings = 5,
    /// An index is damaged, or belongs to another map.
    Index = 6,
    /// The engine cannot work on the map; the message names one that can.
    Engine = 7,
    /// A callback asked to stop.
    Cancelled = 8,
    /// A file could not be read or written.
    File = 9,
    /// The library has a bug; the message tells where. Handles of this call are unusable.
    Internal = 10,
}

/// A call that did not go well.
pub(crate) struct Fault {
    result: Result,
    message: String,
}

impl Fault {
    pub(crate) fn new(result: Result, message: impl Into<String>) -> Self {
        Self { result, message: message.into() }
    }
}

impl<E: Into<Failure>> From<E> for Fault {
    fn from(error: E) -> Self {
        let Failure { kind, message } = error.into();
        let result = match kind {
            FailureKind::Map => Result::Map,
            FailureKind::Query | FailureKind::Graph => Result::Query,
            FailureKind::Settings => Result::Settings,
            FailureKind::Index => Result::Index,
            FailureKind::Cancelled => Result::Cancelled,
            FailureKind::Engine => Result::Engine,
            FailureKind::File(_) => Result::File,
        };
        Self { result, message }
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::default();
}

/// Runs what a function does. No panic gets out; a failure leaves its message.
#[inline]
pub(crate) fn guard(work: impl FnOnce() -> std::result::Result<(), Fault>) -> Result {
    // What a panic leaves half done is behind handles that the caller is told not to use.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => Result::Ok,
        Ok(Err(fault)) => fail(&fault),
        Err(panic) => fail(&Fault::new(Result::Internal, told(&*panic))),
    }
}

/// As [`guard`], for functions that cannot fail but by a wrong handle.
#[inline]
pub(crate) fn value<T>(otherwise: T, work: impl FnOnce() -> std::result::Result<T, Fault>) -> T {
    let mut value = otherwise;
    guard(|| {
        value = work()?;
        Ok(())
    });
    value
}

#[cold]
fn fail(fault: &Fault) -> Result {
    // Text from outside may have a null byte in it.
    let message = CString::new(fault.message.replace('\0', " ")).unwrap_or_default();
    LAST_ERROR.set(message);
    fault.result
}

fn told(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    format!("a bug in farstride: {}", text.unwrap_or("a panic without a message"))
}

/// Why the last call on this thread failed; empty if none has. It stays until the next failure
/// on this thread.
#[unsafe(no_mangle)]
pub extern "C" fn farstride_last_error() -> *const c_char {
    LAST_ERROR.with_borrow(|message| message.as_ptr())
}

/// The version of the library, as in "0.1.0".
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn farstride_version() -> *const c_char {
    const { concat!(env!("CARGO_PKG_VERSION"), "\0") }.as_ptr().cast()
}

/// The version of this interface. It rises when programs have to be compiled again: compare it with
/// FARSTRIDE_ABI.
///
/// Any thread may call it.
#[unsafe(no_mangle)]
pub extern "C" fn farstride_abi() -> u32 {
    ABI
}

/// The version of the interface that this header describes.
pub const ABI: u32 = 1;

/// Something that C holds by a pointer. `KIND` tells handles apart.
pub(crate) trait Handle: Sized {
    const KIND: u32;
}

/// What a handle points to.
#[repr(C)]
struct Tagged<T> {
    /// First, so that it is in the same place for handles of every kind.
    kind: u32,
    thing: T,
}

/// Kind of a handle that was freed.
const FREED: u32 = 0;

/// Makes a handle. Whoever gets it owns it.
pub(crate) fn handle<T: Handle>(thing: T) -> *mut T {
    Box::into_raw(Box::new(Tagged { kind: T::KIND, thing })).cast()
}

/// Makes a handle and writes it. The caller owns it.
pub(crate) fn give<T: Handle>(thing: T, to: *mut *mut T) -> std::result::Result<(), Fault> {
    let to = out(to)?;
    to.set(handle(thing));
    Ok(())
}

/// What a pointer leads to, if it is a handle of this kind.
#[inline]
fn tagged<T: Handle>(pointer: *const T) -> std::result::Result<*mut Tagged<T>, Fault> {
    // SAFETY: the header says that handles come from this library and are not used after they
    // were freed. All of them begin with their kind, so reading that is sound whatever the kind.
    if pointer.is_null() || unsafe { pointer.cast::<u32>().read() } != T::KIND {
        return Err(Fault::new(Result::Handle, "the handle is null, freed or of another kind"));
    }
    Ok(pointer.cast_mut().cast())
}

/// The thing behind a handle that others may use, too.
#[inline]
pub(crate) fn shared<'h, T: Handle>(pointer: *const T) -> std::result::Result<&'h T, Fault> {
    // SAFETY: it is a handle of this kind, and the header says that nobody changes or frees it
    // meanwhile.
    Ok(unsafe { &(*tagged(pointer)?).thing })
}

/// The thing behind a handle that the caller has to itself.
#[inline]
pub(crate) fn exclusive<'h, T: Handle>(pointer: *mut T) -> std::result::Result<&'h mut T, Fault> {
    // SAFETY: it is a handle of this kind, and the header says that nobody else uses it
    // meanwhile.
    Ok(unsafe { &mut (*tagged(pointer)?).thing })
}

/// Frees a handle; a null one is none.
pub(crate) fn free<T: Handle>(pointer: *mut T) {
    guard(|| {
        if pointer.is_null() {
            return Ok(());
        }
        let tagged = tagged(pointer)?;
        // SAFETY: it is a handle of this kind, so it came from `handle`; the header says that
        // nobody uses it any more.
        let mut owned = unsafe { Box::from_raw(tagged) };
        owned.kind = FREED;
        // Or the compiler leaves the write out, for nobody reads it before the memory is gone.
        std::hint::black_box(&owned.kind);
        Ok(())
    });
}

/// A place to write to. It is no reference: C need not initialise what is there, and two such places
/// may be the same.
pub(crate) struct Out<T>(NonNull<T>);

impl<T> Out<T> {
    #[inline]
    pub(crate) fn set(self, value: T) {
        // SAFETY: the header says that what a function writes to is there to be written.
        unsafe { self.0.write(value) }
    }
}

/// A place to write to.
#[inline]
pub(crate) fn out<T>(pointer: *mut T) -> std::result::Result<Out<T>, Fault> {
    let null = || Fault::new(Result::Argument, "a pointer to write to is null");
    NonNull::new(pointer).map(Out).ok_or_else(null)
}

/// Something that is read.
pub(crate) fn input<'i, T>(pointer: *const T) -> std::result::Result<&'i T, Fault> {
    // SAFETY: the header says that what a function reads is there to be read. Types that are
    // read are made of integers and pointers, of which every value is valid: no `bool`, no enum. A
    // pointer to a function is null or one, as the header says.
    unsafe { pointer.as_ref() }.ok_or_else(|| Fault::new(Result::Argument, "a pointer to read from is null"))
}

/// A list that is read; null will do for an empty one.
pub(crate) fn list<'l, T>(pointer: *const T, count: usize) -> std::result::Result<&'l [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_list(pointer, count)?;
    // SAFETY: as for `input`, for `count` things one after the other.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// A list that is written; null will do for an empty one.
pub(crate) fn list_out<'l, T>(
    pointer: *mut T,
    count: usize,
) -> std::result::Result<&'l mut [MaybeUninit<T>], Fault> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_list(pointer, count)?;
    // SAFETY: the header says that there is room for `count` things one after the other; they need
    // not be initialised.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), count) })
}

fn check_list<T>(pointer: *const T, count: usize) -> std::result::Result<(), Fault> {
    if pointer.is_null() {
        return Err(Fault::new(Result::Argument, format!("a list of {count} is null")));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(Fault::new(Result::Argument, format!("a list of {count} does not fit into memory")));
    }
    Ok(())
}

/// Text; `None` if the pointer is null.
pub(crate) fn text<'t>(pointer: *const c_char) -> std::result::Result<Option<&'t str>, Fault> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: the header says that text ends with a null byte.
    let text = unsafe { CStr::from_ptr(pointer) }.to_str();
    text.map(Some).map_err(|_| Fault::new(Result::Argument, "text is not UTF-8"))
}

/// A file by its name.
pub(crate) fn path<'t>(pointer: *const c_char) -> std::result::Result<&'t std::path::Path, Fault> {
    let name = text(pointer)?.ok_or_else(|| Fault::new(Result::Argument, "the name of the file is null"))?;
    Ok(std::path::Path::new(name))
}
